import Foundation
import Items

/// A new database beside the place where it will be: nobody sees it until it is whole.
///
/// It is made under the name `NAME.new` and then renamed to its own. What a killed command left
/// behind there is made anew by the next one; two commands cannot make it at once.
struct DatabaseInTheMaking: ~Copyable {
  let path: String
  /// Where the database is written.
  var temporary: String { path + ".new" }
  /// Locked as long as this lives, so that what is left behind can be told from what is being made.
  private let lock: Int32
  private var isPublished = false

  /// - Throws: `.unavailable` when the folder cannot be written, or another command is at it.
  init(path: String) throws(CatalogueError) {
    self.path = path
    lock = open(path + ".new", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else {
      throw .unavailable("\(path) cannot be made: \(reason())")
    }
    // A command that has just ended may have given this very file its name: then it is whole.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, Self.isFile(lock, named: path + ".new") else {
      close(lock)
      throw .unavailable("\(path) is being made by another command")
    }
    guard ftruncate(lock, 0) == 0 else {
      close(lock)
      throw .failed("\(path) cannot be made: \(reason())")
    }
  }

  deinit {
    if !isPublished { unlink(temporary) }
    close(lock)
  }

  /// Makes what has been written durable, and gives it its name.
  ///
  /// - Throws: `.unavailable` when something of that name has come to be meanwhile, `.failed` when
  ///   it cannot be written.
  mutating func publish() throws(CatalogueError) {
    guard fsync(lock) == 0 else { throw .failed("\(path) cannot be written: \(reason())") }
    guard Self.isNothing(path) else {
      throw .unavailable("\(path) has come to be while it was made")
    }
    guard rename(temporary, path) == 0 else {
      throw .unavailable("\(path) cannot be made: \(reason())")
    }
    isPublished = true
    let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private static func isFile(_ descriptor: Int32, named path: String) -> Bool {
    var open = stat()
    var named = stat()
    return fstat(descriptor, &open) == 0 && stat(path, &named) == 0
      && open.st_dev == named.st_dev && open.st_ino == named.st_ino
  }

  /// Whether there is no file at `path`, or one without a byte in it.
  static func isNothing(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}

/// What the last call of the system says is wrong.
private func reason() -> String { String(cString: strerror(errno)) }
