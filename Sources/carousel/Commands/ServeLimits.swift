import ArgumentParser
import HTTP
import HTTPServer

/// The limits of the server as options of `carousel serve`.
struct ServeLimits: ParsableArguments {
  @Option(signed: "The maximum number of open connections. Others are rejected with 503.")
  var connectionLimit = 4096

  @Option(
    signed: """
      The maximum number of open connections from one address; 0 is no limit. (default: 2048, or \
      --connection-limit if that is less)
      """)
  var connectionLimitPerAddress: Int?

  @Option(
    signed: """
      The maximum number of open event streams. Others are rejected with 503. (default: 1024, or \
      --connection-limit if that is less)
      """)
  var streamLimit: Int?

  @Option(signed: "The maximum size of a request's head in bytes.")
  var headLimit = 12 * 1024

  @Option(signed: "The maximum number of lines in a request's head.")
  var fieldLimit = 64

  @Option(
    signed: """
      The maximum size of a request's target in bytes. (default: 8192, or --head-limit if that is less)
      """)
  var targetLimit: Int?

  @Option(signed: "The maximum size of a request's body in bytes. A list of ids may have 51500002.")
  var bodyLimit = 1024 * 1024

  @Option(
    signed: "The maximum size of all bodies in memory in bytes. Others are rejected with 503.")
  var bodyBudget = 64 * 1024 * 1024

  @Option(
    signed: ArgumentHelp(
      """
      The maximum size of all answers that clients have not read yet, in MB. Others are replaced by 503.
      """, valueName: "mb"))
  var answerBudget = 256

  @Option(signed: "The seconds to receive a request's head.")
  var headDeadline = 10

  @Option(signed: "The seconds to receive a request's body.")
  var bodyDeadline = 30

  @Option(signed: "The seconds to send a response; longer for a large one.")
  var responseDeadline = 30

  @Option(signed: "The seconds that an idle connection stays open.")
  var idleDeadline = 60

  @Option(signed: "The seconds between comments that keep an event stream alive.")
  var heartbeat = 15

  func validate() throws {
    try ValidationError.check("connection-limit", connectionLimit, 1...1_000_000)
    try ValidationError.check(
      "connection-limit-per-address", connectionLimitPerAddress, 0...1_000_000)
    try ValidationError.check("stream-limit", streamLimit, 1...1_000_000)
    for (name, limit) in [
      ("connection-limit-per-address", connectionLimitPerAddress ?? 0),
      ("stream-limit", streamLimit ?? 0),
    ] {
      guard limit <= connectionLimit else {
        throw ValidationError(
          "--\(name) must be at most --connection-limit, which is \(connectionLimit)")
      }
    }
    try ValidationError.check("head-limit", headLimit, 1024...(1 << 20))
    try ValidationError.check("field-limit", fieldLimit, 8...1000)
    try ValidationError.check("target-limit", targetLimit, 64...(1 << 20))
    guard targetLimit ?? 0 < headLimit else {
      throw ValidationError(
        "--target-limit must be less than --head-limit, which is \(headLimit): the head contains "
          + "the target")
    }
    try ValidationError.check("body-limit", bodyLimit, 1024...(1 << 30))
    try ValidationError.check("body-budget", bodyBudget, 1024...(1 << 40))
    guard bodyLimit <= bodyBudget else {
      throw ValidationError(
        "--body-limit must be at most --body-budget, which is \(bodyBudget): a body must fit in the "
          + "budget")
    }
    try ValidationError.check("answer-budget", answerBudget, 1...1_048_576)
    try ValidationError.check("head-deadline", headDeadline, 1...3600)
    try ValidationError.check("body-deadline", bodyDeadline, 1...3600)
    try ValidationError.check("response-deadline", responseDeadline, 1...3600)
    try ValidationError.check("idle-deadline", idleDeadline, 1...3600)
    try ValidationError.check("heartbeat", heartbeat, 1...3600)
  }

  func apply(to options: inout ServerOptions) {
    options.connectionLimit = connectionLimit
    options.connectionLimitPerAddress =
      connectionLimitPerAddress ?? min(2048, connectionLimit)
    options.streamLimit = streamLimit ?? min(1024, connectionLimit)
    options.parser.headLimit = headLimit
    options.parser.fieldLimit = fieldLimit
    options.parser.targetLimit = targetLimit ?? min(8 * 1024, headLimit)
    options.bodyLimit = bodyLimit
    options.bodyBudget = bodyBudget
    options.answerBudget = answerBudget << 20
    options.deadlines.head = headDeadline
    options.deadlines.body = bodyDeadline
    options.deadlines.response = responseDeadline
    options.deadlines.idle = idleDeadline
    options.heartbeat = heartbeat
  }
}

// Options whose value can begin with `-`, such as a negative number.

extension Option where Value: ExpressibleByArgument {
  init(wrappedValue: Value, signed help: ArgumentHelp) {
    self.init(wrappedValue: wrappedValue, parsing: .unconditional, help: help)
  }
}

extension Option {
  init<Wrapped: ExpressibleByArgument>(signed help: ArgumentHelp) where Value == Wrapped? {
    self.init(parsing: .unconditional, help: help)
  }
}

extension ValidationError {
  static func check(
    _ option: String, _ value: Int?, _ range: ClosedRange<Int>, _ unit: String = ""
  ) throws {
    guard value.map(range.contains) ?? true else {
      throw ValidationError(
        "--\(option) must be from \(range.lowerBound) to \(range.upperBound)\(unit)")
    }
  }
}
