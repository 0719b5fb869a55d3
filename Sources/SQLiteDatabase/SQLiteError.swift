import Catalogue
import Foundation
import GRDB
import SQLCatalogue

/// - Parameter path: how the error names the database.
func mappingErrors<Value>(
  _ path: String, _ body: () throws -> Value
) throws(CatalogueError) -> Value {
  try CatalogueError.mapping(
    path, { (error: DatabaseError) in CatalogueError(error, path: path) }, body)
}

extension CatalogueError {
  /// The one place where a result code of SQLite becomes an error of the catalogue.
  init(_ error: DatabaseError, path: String) {
    switch error.extendedResultCode {
    // SQLite reports a quota, a limit on the size of files and a broken disk with the same codes.
    case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE:
      self = .failed(
        "\(path) cannot be written: no space is left, a limit is reached, or the disk is broken")
      return
    default: break
    }
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .unavailable("\(path) is not a database")
    case .SQLITE_CANTOPEN, .SQLITE_READONLY:
      if access(path, F_OK) == 0, access(path, R_OK) != 0 {
        self = .unavailable("\(path) cannot be read: permission denied")
      } else if let protection = WriteProtection(of: path) {
        self = protection.error(of: path)
      } else if error.resultCode == .SQLITE_READONLY {
        self = .failed("\(path) cannot be written: it is read-only")
      } else {
        self = .unavailable("\(path) cannot be opened")
      }
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self = .busy("\(path) is being written by another command: try again later")
    case .SQLITE_INTERRUPT: self = .interrupted
    case .SQLITE_FULL: self = .failed("\(path): no space is left on the disk")
    case .SQLITE_PERM, .SQLITE_AUTH: self = .failed("\(path): permission denied")
    case .SQLITE_MISUSE: self = .unavailable("\(path) is closed")
    case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
      self = .corrupt("\(path) is damaged: \(error.message ?? "\(error.resultCode)")")
    default: self = .failed("\(path): \(error.message ?? "\(error.resultCode)")")
    }
  }
}
