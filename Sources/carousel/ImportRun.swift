import Items
import ItemsInSQLite

/// One import: reads items from a file, puts them in order if asked, gives them to a store, and
/// counts what it has done.
final class ImportRun {
  private let input: InputFile
  private var reader: any ItemReader
  private let sorts: Bool
  /// Whether the file says which strip each item is for.
  private let namesStrips: Bool
  /// A folder with room to sort in.
  private let scratch: String
  private let skipsFaults: Bool
  private let interruption: Interruption
  private var progress: ImportProgress
  private(set) var tally = ImportTally()
  /// What the file calls the strips whose names had to be made of that.
  private var titles: [String: String] = [:]

  /// Opens the file, and reads the header of a table.
  ///
  /// - Throws: `.failed` when it cannot be read, `.invalid` for a header that the mapping does not
  ///   fit.
  init(
    file: String, format: ImportFormat, mapping: ImportMapping, options: ReadingOptions,
    scratch: String, skipsFaults: Bool, interruption: Interruption
  ) throws(CatalogueError) {
    let input = try InputFile(file, interruption: interruption)
    let stream = ByteStream { () throws(CatalogueError) in try input.read() }
    do throws(CatalogueError) {
      switch format {
      case .csv: reader = try CSVItems(stream, mapping: mapping, options: options)
      case .jsonl: reader = JSONLinesItems(stream, options: options)
      }
    } catch {
      throw error.at(line: 1, of: file)
    }
    self.input = input
    self.scratch = scratch
    self.skipsFaults = skipsFaults
    self.interruption = interruption
    sorts = options.sort != nil
    namesStrips = options.strip != nil
    progress = ImportProgress(input: input)
  }

  /// Where members and fields are taken from; nil for what is no table.
  var mapping: ColumnMapping? { (reader as? CSVItems)?.mapping }

  /// Reads everything into `importer`, as one strip.
  ///
  /// - Throws: `.invalid` with `FILE:LINE: ` before the sentence, unless faults are skipped.
  func run(
    into importer: any StripImporter, as request: StripImport
  ) throws(CatalogueError) -> ImportedStrip {
    interruption.whenItComes { importer.interrupt() }
    defer { progress.end() }
    return try importer.run(request) { add throws(CatalogueError) in
      try self.read(intoOrder: { (read: ReadItem, line: Int) throws(CatalogueError) in
        try self.passing(line) { () throws(CatalogueError) in
          try add(read.item)
          self.tally.count(read)
        }
      })
    }
  }

  /// Reads everything into `importer`, each item to the strip that the file names.
  ///
  /// - Returns: how many strips that are.
  /// - Throws: as above.
  func runMany(
    into importer: any StripImporter, _ mode: StripImport.Mode, settings: SettingsChange
  ) throws(CatalogueError) -> Int {
    interruption.whenItComes { importer.interrupt() }
    defer { progress.end() }
    return try importer.runMany(mode, settings: settings, title: { self.titles[$0] }) {
      add throws(CatalogueError) in
      try self.read(intoOrder: { (read: ReadItem, line: Int) throws(CatalogueError) in
        try self.passing(line) { () throws(CatalogueError) in
          try add(read.item, read.strip ?? "")
          self.tally.count(read)
        }
      })
    }
  }

  private func read(
    intoOrder give: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    if sorts {
      try readSorted(after: nil, give)
    } else if namesStrips {
      try readByStrips(give)
    } else {
      while let next = try next() { try give(next.read, next.line) }
    }
  }

  /// Gives items as they come, as long as those of each strip come together. From the first on that
  /// is for a strip that had ended, all are put in order first.
  private func readByStrips(
    _ give: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    var strips: Set<String> = []
    var current: String?
    while let next = try next() {
      if next.read.strip != current {
        current = next.read.strip
        guard strips.insert(current ?? "").inserted else {
          return try readSorted(after: next, give)
        }
      }
      try give(next.read, next.line)
    }
  }

  /// Gives the items of the rest of the file in order, and `first` among them.
  private func readSorted(
    after first: Numbered?, _ give: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    let stage = try SortingStage(in: scratch)
    interruption.whenItComes { stage.interrupt() }
    try stage.take { add throws(CatalogueError) in
      if let first { try add(first.read, first.line) }
      while let next = try next() { try add(next.read, next.line) }
    }
    progress.say("sorting")
    try stage.giveInOrder(give)
  }

  private typealias Numbered = (read: ReadItem, line: Int)

  /// The next item and the line it stood on; nil at the end.
  private func next() throws(CatalogueError) -> Numbered? {
    while true {
      do throws(CatalogueError) {
        guard let read = try reader.next() else { return nil }
        progress.count()
        if let strip = read.strip, let title = read.stripTitle, titles[strip] == nil {
          titles[strip] = title
        }
        return (read, reader.line)
      } catch {
        try passing(reader.line) { () throws(CatalogueError) in throw error }
      }
    }
  }

  /// Does `work` for the record at `line`; a fault in it ends the import, or is noted and passed
  /// over.
  private func passing(
    _ line: Int, _ work: () throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    do throws(CatalogueError) {
      try work()
    } catch {
      guard case .invalid = error, skipsFaults else { throw error.at(line: line, of: input.name) }
      tally.skip(error.at(line: line, of: input.name).description)
    }
  }
}

extension CatalogueError {
  /// The error with the place in a file before it, where the file is to blame.
  fileprivate func at(line: Int, of file: String) -> CatalogueError {
    guard case .invalid(let sentence) = self else { return self }
    return .invalid("\(file):\(line): \(sentence)")
  }
}
