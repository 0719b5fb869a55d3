import Catalogue
import HTTP

extension Problem {
  /// The one place where a catalogue's error becomes a status. What names the store's own files and
  /// addresses is for its operator, not for the client.
  init(_ error: CatalogueError) {
    let detail = error.description
    switch error {
    case .noSuchStrip: self.init(status: 404, detail: detail, parameter: "strip")
    case .noStrips: self.init(status: 404, detail: detail)
    case .stripExists: self.init(status: 409, detail: detail)
    case .revisionGone: self.init(status: 410, detail: detail, parameter: "revision")
    case .revisionUnknown: self.init(status: 404, detail: detail, parameter: "revision")
    case .revisionDiffers: self.init(status: 412, detail: detail)
    case .conflict: self.init(status: 409, detail: detail)
    case .invalid: self.init(status: 400, detail: detail)
    case .corrupt:
      self.init(status: 500, detail: "What is stored is damaged.", cause: detail)
    case .unavailable, .failed, .interrupted:
      self = .unavailable("The catalogue is not to be had now.")
      cause = detail
    case .busy:
      // How long it goes on nobody knows: as long again as it has is a fair guess.
      self = .unavailable(
        "The catalogue is being written by another command.", retryAfter: WriteDeadline.seconds)
      cause = detail
    case .behind: self = .unavailable(detail)
    case .wouldBlock:
      self = .unavailable(detail)
      wouldBlock = true
    }
  }
}
