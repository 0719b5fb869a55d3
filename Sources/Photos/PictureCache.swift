import Foundation
import Synchronization

/// Made pictures as files: `KEY[0..<2]/KEY-WIDTH.webp`. Each is written under another name and renamed, so that a picture is
/// whole or not there. The least recently used files are removed beyond a limit.
package final class PictureCache: Sendable {
  private struct State {
    /// The number of the last use grows with each.
    var entries: [String: (size: Int, use: Int)] = [:]
    var bytes = 0
    var uses = 0
    /// Why the last picture was not kept: a number of an error. 0 if it was.
    var error: Int32 = 0

    mutating func add(_ name: String, size: Int) {
      remove(name)
      uses += 1
      bytes += size
      entries[name] = (size, uses)
    }

    mutating func remove(_ name: String) {
      if let entry = entries.removeValue(forKey: name) { bytes -= entry.size }
    }
  }

  private let folder: String
  /// In bytes.
  private let limit: Int
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Complexity: O(files) calls of the system.
  package init(at folder: String, limit: Int, log: @escaping @Sendable (String) -> Void = { _ in })
  {
    (self.folder, self.limit, self.log) = (folder, limit, log)
    var found: [(name: String, size: Int, used: Int)] = []
    var status = stat()
    let names = FileManager.default.enumerator(atPath: folder)
    while let name = names?.nextObject() as? String {
      let path = "\(folder)/\(name)"
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      // A power cut can leave an empty file.
      if name.hasSuffix(Self.unfinished) || status.st_size == 0 {
        unlink(path)
      } else {
        found.append((name, Int(status.st_size), max(status.st_atim.tv_sec, status.st_mtim.tv_sec)))
      }
    }
    state.withLock { state in
      for file in found.sorted(by: { $0.used < $1.used }) { state.add(file.name, size: file.size) }
    }
    shrink(to: limit)
  }

  private static let unfinished = ".part"

  package var bytes: Int { state.withLock(\.bytes) }

  /// The path of a picture. Nil if it is not made.
  package func path(of name: String) -> String? {
    state.withLock { state in
      guard let entry = state.entries[name] else { return nil }
      state.add(name, size: entry.size)
      return "\(folder)/\(name)"
    }
  }

  /// Keeps the picture in an open file. On a full disk, others leave for it; if that is not enough, it is not kept.
  package func keep(_ name: String, _ picture: Int32) {
    var error = copy(picture, to: name)
    if [ENOSPC, EDQUOT].contains(error) {
      makeRoom()
      error = copy(picture, to: name)
    }
    let before = state.withLock { state in
      defer { state.error = error }
      return state.error
    }
    if error != 0, before == 0 {
      log("Made pictures are not kept: \(folder): \(String(cString: strerror(error)))")
    } else if error == 0, before != 0 {
      log("Made pictures are kept again.")
    }
    shrink(to: limit)
  }

  /// Returns the number of the error, or 0.
  private func copy(_ picture: Int32, to name: String) -> Int32 {
    let path = "\(folder)/\(name)"
    let unfinished = path + Self.unfinished
    guard mkdir((path as NSString).deletingLastPathComponent, 0o755) == 0 || errno == EEXIST else {
      return errno
    }
    let file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return errno }
    var (status, copied) = (stat(), 0)
    fstat(picture, &status)
    let size = Int(status.st_size)
    errno = EIO  // a picture that ends early sets none
    while copied < size, sendfile(file, picture, &copied, size - copied) > 0 {}
    let isWritten = copied == size && rename(unfinished, path) == 0
    let error = isWritten ? 0 : errno
    close(file)
    if isWritten { state.withLock { $0.add(name, size: size) } } else { unlink(unfinished) }
    return error
  }

  /// A picture that someone has removed from the folder is not there.
  func forget(_ name: String) { state.withLock { $0.remove(name) } }

  /// Removes a tenth of the pictures: the least recently used ones.
  func makeRoom() { shrink(to: bytes - 1) }

  /// Removes the least recently used pictures beyond a size in bytes, and a tenth more: not each new picture needs a search.
  private func shrink(to size: Int) {
    let uses = state.withLock { state in
      state.bytes > size ? state.entries.map { ($0, $1.use) } : []
    }
    // Other threads wait for the lock: it is not held while the names are sorted.
    for (name, use) in uses.sorted(by: { $0.1 < $1.1 }) {
      let isRemoved = state.withLock { state in
        guard state.bytes > size - size / 10, state.entries[name]?.use == use else { return false }
        state.remove(name)
        return true
      }
      if isRemoved { unlink("\(folder)/\(name)") }
    }
  }
}
