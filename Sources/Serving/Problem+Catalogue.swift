import Catalogue
import HTTP
import Items

extension Problem {
  /// Maps an error of the catalogue to a status. No other code does this. Details that name files and
  /// addresses of the store become the `cause`, which only the operator's log shows.
  ///
  /// - Parameter parameter: the parameter that names the missing or invalid value.
  init(_ error: CatalogueError, parameter: String? = nil) {
    let detail = error.description
    switch error {
    case .noSuchStrip: self.init(status: 404, detail: detail, parameter: parameter ?? "strip")
    case .noStrips: self.init(status: 404, detail: detail)
    case .stripExists, .conflict: self.init(status: 409, detail: detail)
    case .revisionGone: self.init(status: 410, detail: detail, parameter: "revision")
    case .revisionUnknown: self.init(status: 404, detail: detail, parameter: "revision")
    case .revisionDiffers: self.init(status: 412, detail: detail)
    case .invalid: self.init(status: 400, detail: detail, parameter: parameter)
    case .corrupt(_, let strip):
      let owner = strip.map { " of the strip \"\($0)\"" } ?? ""
      self.init(status: 500, detail: "The stored data\(owner) is damaged.", cause: detail)
    case .unavailable, .full, .failed, .interrupted:
      self = .unavailable("The catalogue is not available now.")
      cause = detail
    case .busy:
      // The time when the lock becomes free is unknown. The change has waited as long as it may, so this asks for the same
      // time again.
      self = .unavailable(
        "The catalogue is being written by another command.", retryAfter: WriteDeadline.seconds)
      cause = detail
    case .outcomeUnknown:
      self = .unknownOutcome("The change may have been made: the database did not confirm it.")
      cause = detail
    case .revisionNotLoaded: self = .unavailable(detail)
    case .tooLarge: self = .unavailable(detail, retryAfter: 60)
    }
  }

  /// The response to a change that still runs when the grace period of a stop ends.
  static let unfinishedChange = Problem.unknownOutcome(
    "The server is stopping. The change may have been made.")

  private static func unknownOutcome(_ detail: String) -> Problem {
    .unavailable(
      "\(detail) Send it again with the same Idempotency-Key, or read the strip's revision.")
  }
}
