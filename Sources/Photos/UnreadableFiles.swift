import Foundation
import Synchronization

/// The files that are no pictures, with the reasons. They are not read again until they change, not even after a restart:
/// one of them may have ended a process.
final class UnreadableFiles: Sendable {
  private struct Entries {
    /// Encoded path and reason by encoded folder, then by key. As bytes: texts that look the same can name different folders.
    var byFolder: [[UInt8]: [PhotoKey: (path: String, reason: String)]] = [:]
    var isSaved = true
  }

  private let path: String
  private let entries = Mutex(Entries())

  /// - Parameter path: a text file with key, path and reason in each line.
  init(at path: String) {
    self.path = path
    let lines = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 2).map(String.init)
      guard parts.count == 3, let key = PhotoKey(parts[0]) else { continue }
      let folder = parts[1].lastIndex(of: "/").map { Array(parts[1][..<$0].utf8) } ?? []
      entries.withLock { $0.byFolder[folder, default: [:]][key] = (parts[1], parts[2]) }
    }
  }

  var count: Int { entries.withLock { $0.byFolder.values.reduce(0) { $0 + $1.count } } }

  /// Returns false if the file was there.
  func add(_ file: PhotoFile, _ reason: String) -> Bool {
    let folder = Array(PhotoFile.encoded(file.parent).utf8)
    let entry = (PhotoFile.encoded(file.path), reason.filter { !$0.isNewline })
    return entries.withLock { entries in
      entries.isSaved = false
      return entries.byFolder[folder, default: [:]].updateValue(entry, forKey: file.key) == nil
    }
  }

  /// Keeps those of the files that a folder has now, and returns their keys.
  @discardableResult
  func keep(_ files: [PhotoFile], in folder: [UInt8]) -> Set<PhotoKey> {
    entries.withLock { entries in
      guard !entries.byFolder.isEmpty else { return [] }
      let folder = Array(PhotoFile.encoded(folder).utf8)
      guard let known = entries.byFolder[folder] else { return [] }
      let keys = Set(files.map(\.key))
      let kept = known.filter { keys.contains($0.key) }
      entries.byFolder[folder] = kept.isEmpty ? nil : kept
      entries.isSaved = entries.isSaved && kept.count == known.count
      return Set(kept.keys)
    }
  }

  /// Writes the file, if something has changed.
  func save() {
    entries.withLock { entries in
      guard !entries.isSaved else { return }
      entries.isSaved = true
      let lines = entries.byFolder.values.flatMap { $0.map { "\($0)\t\($1.path)\t\($1.reason)\n" } }
      try? lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }
  }
}
