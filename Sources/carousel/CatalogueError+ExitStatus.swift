import Items

extension CatalogueError {
  /// What the command ends with, as sysexits.h numbers it: the one place where an error becomes an
  /// exit status. A wrong command line is 64, by the library that reads it.
  var exitStatus: Int32 {
    switch self {
    case .invalid, .stripExists, .noSuchStrip, .noStrips, .revisionGone, .revisionUnknown: 65
    case .unavailable: 69
    case .failed, .corrupt: 74
    case .interrupted: 130
    }
  }
}
