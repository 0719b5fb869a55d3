import ArgumentParser
import HTTP
import HTTPServer

struct ServeLimits: ParsableArguments {
  @Option(
    signed: "The maximum number of open connections. Others are rejected with 503.",
    in: 1...1_000_000)
  var connectionLimit = 4096

  @Option(
    signed: """
      The maximum number of open connections from one address, or from one /64 prefix of IPv6; 0 is no limit. \
      (default: 2048, or --connection-limit if that is less)
      """, in: 0...1_000_000)
  var connectionLimitPerAddress: Int?

  @Option(
    signed: """
      The maximum number of open event streams. Others are rejected with 503. (default: 1024, or \
      --connection-limit if that is less)
      """, in: 1...1_000_000)
  var streamLimit: Int?

  @Option(signed: "The maximum size of a request's head in bytes.", in: 1024...(1 << 20))
  var headLimit = 12 * 1024

  @Option(signed: "The maximum number of lines in a request's head.", in: 8...1000)
  var fieldLimit = 64

  @Option(
    signed: """
      The maximum size of a request's target in bytes. (default: 8192, or --head-limit if that is less)
      """, in: 64...(1 << 20))
  var targetLimit: Int?

  @Option(
    signed: "The maximum size of a request's body in bytes. A list of ids may have 51500002.",
    in: 1024...(1 << 30))
  var bodyLimit = 1024 * 1024

  @Option(
    signed: "The maximum size of all bodies in memory in bytes. Others are rejected with 503.",
    in: 1024...(1 << 40))
  var bodyBudget = 64 * 1024 * 1024

  @Option(
    signed: ArgumentHelp(
      """
      The maximum size of all responses that clients have not read yet, in MB. Others are replaced by 503.
      """, valueName: "mb"), in: 1...1_048_576)
  var responseBudget = 256

  @Option(signed: "The seconds to receive a request's head.", in: 1...3600)
  var headDeadline = 10

  @Option(signed: "The seconds to receive a request's body.", in: 1...3600)
  var bodyDeadline = 30

  @Option(signed: "The seconds to send a response; longer for a large one.", in: 1...3600)
  var responseDeadline = 30

  @Option(signed: "The seconds that an idle connection stays open.", in: 1...3600)
  var idleDeadline = 60

  @Option(signed: "The seconds between comments that keep an event stream alive.", in: 1...3600)
  var heartbeat = 15

  func validate() throws {
    let pairs: [(String, Int?, String, Int)] = [
      (
        "connection-limit-per-address", connectionLimitPerAddress, "connection-limit",
        connectionLimit
      ),
      ("stream-limit", streamLimit, "connection-limit", connectionLimit),
      ("body-limit", bodyLimit, "body-budget", bodyBudget),
      // The head contains more than the target.
      ("target-limit", targetLimit.map { $0 + 1 }, "head-limit", headLimit),
    ]
    for (name, limit, larger, most) in pairs where limit ?? 0 > most {
      throw ValidationError("--\(name) must fit into --\(larger), which is \(most)")
    }
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
    options.responseBudget = responseBudget << 20
    options.deadlines.head = headDeadline
    options.deadlines.body = bodyDeadline
    options.deadlines.response = responseDeadline
    options.deadlines.idle = idleDeadline
    options.heartbeat = heartbeat
  }
}
