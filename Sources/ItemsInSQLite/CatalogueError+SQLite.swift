import Catalogue
import GRDB

/// Runs `body` and gives what it throws as a `CatalogueError`: the one place where an error of
/// SQLite becomes one of ours.
///
/// - Parameter path: the database, as the sentence is to name it.
func catching<Result>(
  _ path: String, _ body: () throws -> Result
) throws(CatalogueError) -> Result {
  do {
    return try body()
  } catch let error as CatalogueError {
    throw error
  } catch let error as DatabaseError {
    throw CatalogueError(error, path: path)
  } catch {
    throw .failed("\(path): \(error)")
  }
}

extension CatalogueError {
  fileprivate init(_ error: DatabaseError, path: String) {
    switch error.extendedResultCode {
    // A quota, a limit on the size of files, no room for what stands beside the file: SQLite tells
    // none of them from a broken disk.
    case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE:
      self = .failed(
        "\(path) cannot be written: no space is left, a limit is reached, or the disk is broken")
      return
    default: break
    }
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .unavailable("\(path) is not a database")
    case .SQLITE_CANTOPEN, .SQLITE_READONLY:
      if let protection = WriteProtection(of: path) {
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
    case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_ERROR:
      self = .corrupt("\(path) is damaged: \(error.message ?? "\(error.resultCode)")")
    default: self = .failed("\(path): \(error.message ?? "\(error.resultCode)")")
    }
  }
}
