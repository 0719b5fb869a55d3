private import Glibc

/// An open folder. It opens only files inside the folder, and follows no symbolic links.
struct Folder: ~Copyable {
  private let descriptor: Int32

  /// - Throws: the reason if the folder at `path` cannot be opened.
  init(at path: String) throws(FolderUnreadable) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FolderUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// The regular file at the path `segments`. Nil if there is none.
  func file(at segments: [Bytes]) -> File? {
    var current = descriptor
    defer { if current != descriptor { close(current) } }
    for (index, segment) in segments.enumerated() {
      // Rejects hidden names, and names that could leave the folder.
      guard let first = segment.first, first != UInt8(ascii: "."),
        !segment.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
      else { return nil }
      let isLast = index == segments.count - 1
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
      let next = openat(current, segment.text, flags)
      if current != descriptor { close(current) }
      current = next
      guard current >= 0 else {
        current = descriptor
        return nil
      }
    }
    guard current != descriptor, let file = File(owning: current) else { return nil }
    current = descriptor
    return file
  }
}

/// An open regular file.
struct File: ~Copyable {
  private let descriptor: Int32
  let state: FileState

  /// Takes ownership of `descriptor` if it is a regular file. Otherwise nil, and the caller keeps it.
  fileprivate init?(owning descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.descriptor = descriptor
    state = FileState(status)
  }

  deinit { close(descriptor) }

  /// The contents of the file. Nil if a read fails.
  ///
  /// - Complexity: O(*n*) in the file's size. It blocks on the disk.
  consuming func contents() -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(state.size, 1) + 1, 1 << 20))
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
  }
}

/// The size, inode and modification time of a file. They differ after a change.
package struct FileState: Equatable, Sendable {
  let size: Int
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no file at `path`.
  package init?(ofFileAt path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    size = Int(status.st_size)
    inode = UInt64(status.st_ino)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

package struct FolderUnreadable: Error, CustomStringConvertible, Sendable {
  package let path: String
  package let reason: String
  package var description: String { "Cannot read the folder \(path): \(reason)." }
}
