import Foundation
import Items

/// The file that connections were opened on. A command can put another file at its path. SQLite still uses the old
/// file, and processes that start later do not see writes to it.
final class FileReference: Sendable {
  static let replaced = "the database file was replaced by another file"

  let path: String
  /// Opened with `O_PATH`: closing another descriptor of the file would release SQLite's locks.
  private let descriptor: Int32
  private let identity: FileIdentity

  init(path: String) throws(CatalogueError) {
    descriptor = open(path, Self.pathOnly | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw .unavailable("\(path) does not exist")
    }
    self.path = path
    identity = FileIdentity(status)
  }

  /// `O_PATH` of Linux, which the header hides.
  private static let pathOnly: Int32 = 0o10000000

  deinit { close(descriptor) }

  /// Why nothing may be written; nil if this is still the file at its path. One system call.
  var staleReason: String? {
    guard let found = FileStatus(path: path) else { return "the database file was removed" }
    return found.identity == identity ? nil : Self.replaced
  }

  func check() throws(CatalogueError) {
    if let staleReason { throw .unavailable("\(path): \(staleReason)") }
  }

  /// Where the file is now; nil if it has no name that Linux knows.
  var presentPath: String? {
    guard
      let path = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(descriptor)"), FileStatus(path: path)?.identity == identity
    else { return nil }
    return path
  }

  /// The name that a database gets when another file has its name. Its log is `NAME.former-wal`.
  static func formerName(of path: String) -> String { path + ".former" }

  var isDeleted: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }
}
