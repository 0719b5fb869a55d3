import ArgumentParser
import HTTP
import HTTPServer

/// What `carousel serve` puts up with: each of the daemon's limits as an option.
struct ServeLimits: ParsableArguments {
  @Option(parsing: .unconditional, help: "Connections open at once; the next one is answered 503.")
  var connectionLimit = 4096

  @Option(
    parsing: .unconditional,
    help: "Connections open at once from one address; 0 for as many as there are.")
  var connectionLimitPerAddress = 0

  @Option(
    parsing: .unconditional,
    help: """
      Event streams open at once; the next one is answered 503. Default: 1024, or --connection-limit.
      """)
  var streamLimit: Int?

  @Option(parsing: .unconditional, help: "Bytes that a request's head may have.")
  var headLimit = 12 * 1024

  @Option(parsing: .unconditional, help: "Lines that a request's head may have.")
  var fieldLimit = 64

  @Option(
    parsing: .unconditional,
    help: "Bytes that a request's target may have. Default: 8192, or --head-limit.")
  var targetLimit: Int?

  @Option(parsing: .unconditional, help: "Bytes that a request's body, a batch of edits, may have.")
  var bodyLimit = 1024 * 1024

  @Option(
    parsing: .unconditional,
    help: "Bytes of bodies in hand at once; the one that would be more is answered 503.")
  var bodyBudget = 64 * 1024 * 1024

  @Option(parsing: .unconditional, help: "Seconds in which a request's head must have come.")
  var headDeadline = 10

  @Option(parsing: .unconditional, help: "Seconds in which a request's body must have come.")
  var bodyDeadline = 30

  @Option(
    parsing: .unconditional,
    help: "Seconds in which a client must take an answer, and more for a long one.")
  var responseDeadline = 30

  @Option(parsing: .unconditional, help: "Seconds that a connection may wait for its next request.")
  var idleDeadline = 60

  @Option(
    parsing: .unconditional, help: "Seconds between the comments that keep an event stream alive.")
  var heartbeat = 15

  /// The options that the environment may give, too.
  static let names = [
    "connection-limit", "connection-limit-per-address", "stream-limit", "head-limit",
    "field-limit", "target-limit", "body-limit", "body-budget", "head-deadline", "body-deadline",
    "response-deadline", "idle-deadline", "heartbeat",
  ]

  func validate() throws {
    try check("connection-limit", connectionLimit, 1...1_000_000)
    try check("connection-limit-per-address", connectionLimitPerAddress, 0...1_000_000)
    if let streamLimit { try check("stream-limit", streamLimit, 1...1_000_000) }
    for (name, limit) in [
      ("connection-limit-per-address", connectionLimitPerAddress),
      ("stream-limit", streamLimit ?? 0),
    ] {
      guard limit <= connectionLimit else {
        throw ValidationError(
          "--\(name) must be at most --connection-limit, which is \(connectionLimit): it would never be "
            + "reached")
      }
    }
    try check("head-limit", headLimit, 1024...(1 << 20))
    try check("field-limit", fieldLimit, 8...1000)
    if let targetLimit {
      try check("target-limit", targetLimit, 64...(1 << 20))
      guard targetLimit < headLimit else {
        throw ValidationError(
          "--target-limit must be less than --head-limit, which is \(headLimit): the target is part "
            + "of the head")
      }
    }
    try check("body-limit", bodyLimit, 1024...(1 << 30))
    try check("body-budget", bodyBudget, 1024...(1 << 40))
    guard bodyLimit <= bodyBudget else {
      throw ValidationError(
        "--body-limit must be at most --body-budget, which is \(bodyBudget): a longer body could never "
          + "be held")
    }
    try check("head-deadline", headDeadline, 1...3600)
    try check("body-deadline", bodyDeadline, 1...3600)
    try check("response-deadline", responseDeadline, 1...3600)
    try check("idle-deadline", idleDeadline, 1...3600)
    try check("heartbeat", heartbeat, 1...3600)
  }

  /// Sets the limits of `options`.
  func apply(to options: inout ServerOptions) {
    options.connectionLimit = connectionLimit
    options.connectionLimitPerAddress = connectionLimitPerAddress
    options.streamLimit = streamLimit ?? min(1024, connectionLimit)
    options.parser.headLimit = headLimit
    options.parser.fieldLimit = fieldLimit
    options.parser.targetLimit = targetLimit ?? min(8 * 1024, headLimit)
    options.parser.bodyLimit = bodyLimit
    options.bodyBudget = bodyBudget
    options.deadlines.head = headDeadline
    options.deadlines.body = bodyDeadline
    options.deadlines.response = responseDeadline
    options.deadlines.idle = idleDeadline
    options.heartbeat = heartbeat
  }

  private func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws {
    guard range.contains(value) else {
      throw ValidationError("--\(name) must be from \(range.lowerBound) to \(range.upperBound)")
    }
  }
}
