import Foundation
import Items

/// Device and inode. No other file gets the inode of an open file.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// What a path leads to now.
struct FileStatus {
  let identity: FileIdentity
  let size: Int

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
  }

  static func isMissingOrEmpty(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}

func lastReason() -> String { String(cString: strerror(errno)) }

/// The file that connections were opened on. A command can put another file at its path. SQLite still uses the old
/// file, and processes that start later do not see writes to it.
final class OpenedFile: Sendable {
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

  /// Why nothing may be written; nil if it is the file at its path. One system call.
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

/// Why this process cannot write to a database file. SQLite makes a log beside it, also to read it, so its folder must
/// be writable too.
enum WriteProtection: String {
  case ofFile = "it is read-only"
  case ofFolder = "its folder is read-only, and SQLite makes a log beside the file"
  case ofFileSystem = "it is on a read-only file system, and SQLite makes a log beside the file"

  /// Nil if the permissions allow writing, or if there is no file.
  init?(of path: String) {
    guard access(path, F_OK) == 0 else { return nil }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    for (target, protection) in [(folder, Self.ofFolder), (path, .ofFile)]
    where access(target, W_OK) != 0 {
      self = errno == EROFS ? .ofFileSystem : protection
      return
    }
    return nil
  }

  func error(of path: String) -> CatalogueError {
    self == .ofFile
      ? .failed("\(path) cannot be written: \(rawValue)")
      : .unavailable("\(path) cannot be opened: \(rawValue)")
  }
}

enum FolderProbe {
  /// In bytes: more than most edits write.
  private static let size: off_t = 1 << 20

  /// Whether a file of a megabyte can be made beside a file. False too if the file system cannot make one without a name.
  static func hasSpace(beside path: String) -> Bool {
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    let file = open(folder.path, temporary | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    return posix_fallocate(file, 0, size) == 0
  }

  /// `O_TMPFILE` of Linux, which the header hides. The file has no name, and is gone once it is closed.
  private static let temporary: Int32 = 0o20000000 | O_DIRECTORY
}
