/// The pictures of a strip: in its order, by key and by path.
///
/// A change costs O(pictures) copies of references, once for each batch.
struct PhotoIndex: Sendable {
  /// A picture that is an item.
  final class Entry: Sendable {
    let file: PhotoFile
    let key: PhotoKey
    let order: PhotoOrder

    /// - Parameter key: that of `file`.
    init(_ file: PhotoFile, _ key: PhotoKey, _ order: PhotoOrder) {
      (self.file, self.key, self.order) = (file, key, order)
    }
  }

  /// In the order of the strip.
  private(set) var ordered: [Entry] = []
  private var byKey: [PhotoKey: Entry] = [:]
  /// By folder, then by path.
  private var byFolder: [[UInt8]: [[UInt8]: Entry]] = [:]

  var count: Int { ordered.count }

  subscript(key: PhotoKey) -> Entry? { byKey[key] }

  /// The pictures directly in a folder, by path.
  func entries(in folder: [UInt8]) -> [[UInt8]: Entry] { byFolder[folder] ?? [:] }

  /// The folders with pictures.
  var folders: Set<[UInt8]> { Set(byFolder.keys) }

  /// The picture at the path of a file.
  func entry(at file: PhotoFile) -> Entry? { byFolder[file.parent]?[file.path] }

  /// Removes and adds pictures.
  ///
  /// - Parameter added: in the order of the strip.
  /// - Returns: ranges of `added`, each with the picture of the strip that follows it.
  mutating func change(
    removing removed: [Entry], adding added: [Entry]
  ) -> [(range: Range<Int>, before: Entry?)] {
    for entry in removed {
      byKey[entry.key] = nil
      byFolder[entry.file.parent]?[entry.file.path] = nil
      if byFolder[entry.file.parent]?.isEmpty ?? false { byFolder[entry.file.parent] = nil }
    }
    byKey.reserveCapacity(byKey.count + added.count)
    for entry in added {
      byKey[entry.key] = entry
      byFolder[entry.file.parent, default: [:]][entry.file.path] = entry
    }
    let gone = Set(removed.map(ObjectIdentifier.init))
    var (runs, next): ([(range: Range<Int>, before: Entry?)], Int) = ([], 0)
    var merged: [Entry] = []
    merged.reserveCapacity(ordered.count + added.count)
    func add(before entry: Entry?) {
      let rest = added[next...]
      let run = entry.map { entry in rest.prefix { $0.order < entry.order } } ?? rest
      if !run.isEmpty { runs.append((run.indices, entry)) }
      merged += run
      next = run.endIndex
    }
    for entry in ordered where !gone.contains(ObjectIdentifier(entry)) {
      add(before: entry)
      merged.append(entry)
    }
    add(before: nil)
    ordered = merged
    return runs
  }
}
