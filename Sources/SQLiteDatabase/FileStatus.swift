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

/// The status of the file that a path leads to now.
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

func errnoMessage() -> String { String(cString: strerror(errno)) }
