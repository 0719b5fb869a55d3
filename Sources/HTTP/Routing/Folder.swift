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
  ///
  /// - Throws: 503 if the process has no free file descriptor or memory now, 500 if the file cannot be read.
  func file(at segments: [Bytes]) throws(Problem) -> File? {
    var parent: File?
    for (index, segment) in segments.enumerated() {
      // Rejects hidden names, and names that could leave the folder.
      guard let first = segment.first, first != UInt8(ascii: "."),
        !segment.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
      else { return nil }
      let isLast = index == segments.count - 1
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
      let absences = [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EACCES, ENXIO]
      let opened = openat(parent?.descriptor ?? descriptor, segment.text, flags)
      guard opened >= 0 || absences.contains(errno) else { throw .unreadableFile }
      guard let file = File(opened, type: isLast ? S_IFREG : S_IFDIR) else { return nil }
      parent = consume file
    }
    return parent
  }
}

package struct File: ~Copyable {
  let descriptor: Int32
  let state: FileStamp

  /// Takes ownership of `descriptor`. Nil if it is negative, or the file has another type.
  fileprivate init?(_ descriptor: Int32, type: mode_t) {
    var status = stat()
    let isFound = descriptor >= 0 && fstat(descriptor, &status) == 0
    self.descriptor = descriptor
    state = FileStamp(status)
    guard isFound, status.st_mode & S_IFMT == type else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  consuming func body() -> FileBody {
    let body = FileBody(descriptor, state)
    discard self
    return body
  }

  /// The contents of the file at `path`, which may be a symbolic link. It blocks on the disk.
  ///
  /// - Throws: as `Folder.file(at:)`.
  package static func contents(at path: String) throws(Problem) -> [UInt8] {
    errno = EISDIR
    guard let file = File(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), type: S_IFREG) else {
      throw .unreadableFile
    }
    return try file.contents()
  }

  /// It blocks on the disk. Throws as `Folder.file(at:)`.
  consuming func contents() throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(state.size, 1) + 1, 1 << 20))
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 else { throw .unreadableFile }
      bytes += chunk[..<count]
    }
  }
}

extension Problem {
  fileprivate static var unreadableFile: Problem {
    let code = errno
    var problem =
      [EMFILE, ENFILE, ENOMEM, EINTR, ENOENT].contains(code)
      ? Problem.unavailable("The file cannot be read now.")
      : Problem(status: 500, detail: "The file cannot be read.")
    problem.cause = String(cString: strerror(code))
    return problem
  }
}

/// An open file as a body, which the server sends from the disk.
package final class FileBody: Sendable {
  package let descriptor: Int32
  let state: FileStamp

  /// Takes ownership of `descriptor`.
  fileprivate init(_ descriptor: Int32, _ state: FileStamp) {
    self.descriptor = descriptor
    self.state = state
  }

  /// Nil if there is no such file.
  package convenience init?(ofFileAt path: String) {
    self.init(descriptor: open(path, O_RDONLY | O_CLOEXEC))
  }

  /// Takes ownership of `descriptor`. Nil if it is not an open file.
  package convenience init?(descriptor: Int32) {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
    self.init(descriptor, FileStamp(status))
  }

  deinit { close(descriptor) }

  /// The size when the file was opened.
  package var count: Int { state.size }
}

/// The size, inode and change time of a file. They differ after each change, even if it keeps the modification time.
package struct FileStamp: Equatable, Sendable {
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
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }

  var text: String { "\(size)-\(inode)-\(seconds)-\(nanoseconds)" }
}
