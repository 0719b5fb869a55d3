import Catalogue
import Foundation
import HTTPServer

/// Why a command ended without having done its work: a sentence for standard error, and an exit
/// status by the convention of sysexits.h.
struct Failure: Error {
  /// The exit statuses of the contract; a wrong command line's 64 is ArgumentParser's own.
  enum Status: Int32 {
    /// Bad data.
    case data = 65
    /// A database or a port that is not to be had.
    case unavailable = 69
    /// A read or a write that failed.
    case input = 74
    /// A signal, as shells number SIGINT; a command that can ends by the signal itself.
    case interrupted = 130
  }

  let status: Status
  let sentence: String

  static func data(_ sentence: String) -> Failure { Failure(status: .data, sentence: sentence) }

  static func unavailable(_ sentence: String) -> Failure {
    Failure(status: .unavailable, sentence: sentence)
  }

  static func input(_ sentence: String) -> Failure { Failure(status: .input, sentence: sentence) }

  /// Says why, and ends the process.
  func exit() -> Never {
    StandardError.write(line: sentence)
    Foundation.exit(status.rawValue)
  }
}

extension Failure {
  /// The one place where a catalogue's error becomes an exit status.
  init(_ error: CatalogueError) {
    let status: Status =
      switch error {
      case .noSuchStrip, .noStrips, .stripExists, .revisionGone, .revisionUnknown,
        .revisionDiffers, .conflict, .invalid:
        .data
      case .unavailable, .busy, .behind, .wouldBlock: .unavailable
      case .corrupt, .failed: .input
      case .interrupted: .interrupted
      }
    self.init(status: status, sentence: error.description)
  }

  /// A daemon's error, with the option that mends it.
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
