/// The order in which the headers of files are read.
package struct ScanOrder {
  /// By folder, each list with the newest file last. Names count among files of the same time.
  private var files: [[UInt8]: [PhotoFile]]
  /// The folders, the next one last.
  private var folders: [[UInt8]] = []

  package init(_ files: [PhotoFile]) {
    self.files = Dictionary(grouping: files, by: \.parent).mapValues { files in
      files.sorted {
        $0.modified == $1.modified
          ? $0.path.lexicographicallyPrecedes($1.path) : $0.modified < $1.modified
      }
    }
  }

  /// Removes and returns the newest file of each folder, the newest last.
  package mutating func takeSamples() -> [PhotoFile] {
    files.keys.compactMap { files[$0]?.popLast() }.sorted { $0.modified < $1.modified }
  }

  /// Sorts the folders: one with a greater value of `taken` is read earlier.
  package mutating func sort(by taken: ([UInt8]) -> Int) {
    folders = files.keys.map { ($0, taken($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Removes and returns the next file: one of the folder that is in view, as long as it has some.
  package mutating func next(in view: [UInt8]?) -> PhotoFile? {
    if let view, let file = files[view]?.popLast() { return file }
    while let folder = folders.last {
      if let file = files[folder]?.popLast() { return file }
      files[folder] = nil
      folders.removeLast()
    }
    return nil
  }
}
