import Foundation
import Synchronization

/// The files that are no pictures, with the reasons. They are not read again until they change, not even after a restart:
/// one of them may have ended a process.
final class UnreadableFiles: Sendable {
  /// Encoded paths and reasons.
  private typealias Entries = (byKey: [PhotoKey: (path: String, reason: String)], isSaved: Bool)

  private let path: String
  private let entries = Mutex<Entries>(([:], isSaved: true))

  /// - Parameter path: a text file with key, path and reason in each line.
  init(at path: String) {
    self.path = path
    let lines = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 2).map(String.init)
      guard parts.count == 3, let key = PhotoKey(parts[0]) else { continue }
      entries.withLock { $0.byKey[key] = (parts[1], parts[2]) }
    }
  }

  var count: Int { entries.withLock { $0.byKey.count } }

  var keys: Set<PhotoKey> { entries.withLock { Set($0.byKey.keys) } }

  /// Returns false if the file was there.
  func add(_ file: PhotoFile, _ reason: String) -> Bool {
    let entry = (PhotoFile.encoded(file.path), reason.filter { !$0.isNewline })
    return entries.withLock { entries in
      entries.isSaved = false
      return entries.byKey.updateValue(entry, forKey: file.key) == nil
    }
  }

  /// Removes files that are gone.
  ///
  /// - Parameter isGone: whether one is, by its encoded path.
  func remove(_ keys: Set<PhotoKey>, where isGone: (String) -> Bool) {
    entries.withLock { entries in
      for key in keys where entries.byKey[key].map({ isGone($0.path) }) ?? false {
        entries.byKey[key] = nil
        entries.isSaved = false
      }
    }
  }

  /// Writes the file, if something has changed.
  func save() {
    entries.withLock { entries in
      guard !entries.isSaved else { return }
      let lines = entries.byKey.map { "\($0)\t\($1.path)\t\($1.reason)\n" }.joined()
      entries.isSaved =
        (try? lines.write(toFile: path, atomically: true, encoding: .utf8)) != nil
    }
  }
}
