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
  private let state = Mutex(State())

  /// - Complexity: O(files) calls of the system.
  package init(at folder: String, limit: Int) {
    self.folder = folder
    self.limit = limit
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
    shrink()
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

  /// A new file to write a picture to. Nil if it cannot be made.
  package func begin(_ name: String) -> Int32? {
    let path = "\(folder)/\(name)\(Self.unfinished)"
    mkdir((path as NSString).deletingLastPathComponent, 0o755)
    unlink(path)
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    return file < 0 ? nil : file
  }

  /// Keeps what was written, or removes it. Returns whether the picture is there.
  package func end(_ name: String, isMade: Bool) -> Bool {
    let path = "\(folder)/\(name)"
    var status = stat()
    guard isMade, stat(path + Self.unfinished, &status) == 0,
      rename(path + Self.unfinished, path) == 0
    else {
      unlink(path + Self.unfinished)
      return false
    }
    state.withLock { $0.add(name, size: Int(status.st_size)) }
    shrink()
    return true
  }

  /// A picture that someone has removed from the folder is not there.
  func forget(_ name: String) { state.withLock { $0.remove(name) } }

  /// Removes the least recently used pictures beyond the limit, and a tenth more: not each new picture needs a search.
  private func shrink() {
    let uses = state.withLock { state in
      state.bytes > limit ? state.entries.map { ($0, $1.use) } : []
    }
    // Other threads wait for the lock: it is not held while the names are sorted.
    for (name, use) in uses.sorted(by: { $0.1 < $1.1 }) {
      let isRemoved = state.withLock { state in
        guard state.bytes > limit - limit / 10, state.entries[name]?.use == use else {
          return false
        }
        state.remove(name)
        return true
      }
      if isRemoved { unlink("\(folder)/\(name)") }
    }
  }
}
