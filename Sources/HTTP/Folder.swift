#if canImport(Glibc)
  private import Glibc
#else
  private import Darwin
#endif

/// An open folder, and the files beneath it: never one above it, and never through a symbolic link.
struct Folder: ~Copyable {
  private let descriptor: Int32

  /// - Throws: why the folder at `path` cannot be opened.
  init(at path: String) throws(FolderUnreadable) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FolderUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// The plain file that `segments` lead to, or nil.
  func file(at segments: [Bytes]) -> File? {
    var current = descriptor
    defer { if current != descriptor { close(current) } }
    for (index, segment) in segments.enumerated() {
      // What could lead out of the folder or is meant to be hidden is not looked for.
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

/// An open plain file.
struct File: ~Copyable {
  private let descriptor: Int32
  let state: FileState

  /// Takes `descriptor` over when it is a plain file's; nil, and it stays the caller's, when not.
  fileprivate init?(owning descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.descriptor = descriptor
    state = FileState(status)
  }

  deinit { close(descriptor) }

  /// All its bytes; nil when reading fails.
  ///
  /// - Complexity: O(*n*) in its size; waits for the disk.
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

/// What tells that a file has changed.
struct FileState: Equatable, Sendable {
  let size: Int
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  fileprivate init(_ status: stat) {
    size = Int(status.st_size)
    inode = UInt64(status.st_ino)
    #if canImport(Glibc)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #else
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #endif
  }
}

/// A folder that cannot be opened, and why.
package struct FolderUnreadable: Error, CustomStringConvertible, Sendable {
  package let path: String
  package let reason: String
  package var description: String { "The folder \(path) cannot be read: \(reason)." }
}
