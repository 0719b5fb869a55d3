import Foundation
import HTTPServer
import Items

extension CatalogueError {
  /// The exit status of a command that ends with this error, from sysexits.h. ArgumentParser itself exits
  /// with 64 for a wrong command line.
  var exitStatus: Int32 {
    switch self {
    case .noSuchStrip, .noStrips, .stripExists, .revisionGone, .revisionUnknown, .revisionDiffers,
      .conflict, .invalid:
      EX_DATAERR
    case .unavailable, .busy, .outcomeUnknown, .revisionNotLoaded, .tooLarge: EX_UNAVAILABLE
    case .corrupt, .full, .failed: EX_IOERR
    // As shells report it. `import` ends by the signal itself instead.
    case .interrupted: 128 + SIGINT
    }
  }

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
