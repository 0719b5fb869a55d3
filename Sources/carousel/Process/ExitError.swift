import Catalogue
import Foundation
import HTTPServer

/// An error that ends the command: a sentence for standard error, and an exit status of sysexits.h.
struct ExitError: Error {
  /// ArgumentParser itself exits with 64 for a wrong command line.
  enum Status: Int32 {
    /// EX_DATAERR: the input is wrong, or the strip exists.
    case data = 65
    /// EX_UNAVAILABLE: the database or the port is not available.
    case unavailable = 69
    /// EX_IOERR: a read or a write failed.
    case input = 74
    /// 128 + SIGINT, as shells report it. `import` ends by the signal itself instead.
    case interrupted = 130
  }

  let status: Status
  let sentence: String

  static func data(_ sentence: String) -> ExitError { ExitError(status: .data, sentence: sentence) }

  static func unavailable(_ sentence: String) -> ExitError {
    ExitError(status: .unavailable, sentence: sentence)
  }

  static func input(_ sentence: String) -> ExitError {
    ExitError(status: .input, sentence: sentence)
  }

  func exit() -> Never {
    StandardError.write(line: sentence)
    Foundation.exit(status.rawValue)
  }
}

extension ExitError {
  init(_ error: CatalogueError) {
    let status: Status =
      switch error {
      case .noSuchStrip, .noStrips, .stripExists, .revisionGone, .revisionUnknown,
        .revisionDiffers, .conflict, .invalid:
        .data
      case .unavailable, .busy, .outcomeUnknown, .revisionNotLoaded, .tooLarge: .unavailable
      case .corrupt, .failed: .input
      case .interrupted: .interrupted
      }
    self.init(status: status, sentence: error.description)
  }

  /// An error of the server, with the option that helps.
  init(_ error: ServerError) {
    let remedy =
      switch error {
      case .portInUse, .portForbidden: " Choose another with --port."
      case .unknownHost: " Choose another with --host."
      case .cannotListen, .cannotStart: ""
      }
    self = .unavailable(error.description + remedy)
  }
}
