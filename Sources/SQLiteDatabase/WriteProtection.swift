import Foundation
import Items

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

enum FreeSpaceProbe {
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
