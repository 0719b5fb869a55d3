import Catalogue
import Foundation

/// Identifies a file whatever its name: device and inode. No other file gets the inode of an open file.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// - Returns: nil if there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// Identifies a file, and changes when the file is written.
struct FileState: Equatable, Sendable {
  let identity: FileIdentity
  let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// - Returns: nil if there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    seconds = Int(modified.tv_sec)
    nanoseconds = Int(modified.tv_nsec)
  }
}

/// The file that connections were opened on. A command can move or delete it, and put another file at its
/// path. SQLite still uses the old file, and processes that start later do not see writes to it.
struct OpenedFile: Sendable {
  let path: String
  let identity: FileIdentity

  /// Why nothing may be written to the file; nil if it is the file at its path.
  ///
  /// - Complexity: one system call.
  var staleReason: String? {
    guard let found = FileIdentity(path: path) else { return "the database file was removed" }
    return found == identity ? nil : "the database file was replaced by another file"
  }

  /// - Throws: `.unavailable` if the file is no longer the file at its path.
  func check() throws(CatalogueError) {
    if let staleReason { throw .unavailable("\(path): \(staleReason)") }
  }
}
