import Catalogue
import ItemsInSQLite

/// In which order the items of a file are given to a store.
private enum Order {
  /// As they stand in the file.
  case asItStands
  /// As long as those of each strip come together, as they stand; the rest, strip by strip.
  case stripByStrip
  /// As they stand, where those of each strip come together; else not at all.
  case together
  /// Strip by strip, those of each by what the file is sorted by, if that is anything.
  case sorted
}

/// One import: reads items from a file, puts them in order if asked, gives them to a store, and
/// counts what it has done.
final class ImportRun {
  private let source: ImportSource
  private var input: InputFile
  private var reader: any ItemReader
  private var order: Order
  private let scratch: String
  private let skipsFaults: Bool
  private let interruption: CancellationSignal
  private var progress: ImportProgress
  private(set) var tally = ImportTally()
  /// Whether a strip came back that had ended, where that may not be.
  private var isScattered = false
  /// What the file calls the strips first: the same in whatever order their items are given.
  private var titles: [String: String] = [:]

  /// Opens the file, and reads the header of a table.
  ///
  /// - Parameter scratch: a folder with room to sort in.
  /// - Throws: `.failed` when it cannot be read, `.invalid` for a header that the mapping does not
  ///   fit.
  init(_ source: ImportSource, scratch: String, skipsFaults: Bool) throws(CatalogueError) {
    self.source = source
    (input, reader) = try source.open()
    self.scratch = scratch
    self.skipsFaults = skipsFaults
    interruption = source.interruption
    progress = ImportProgress(input: input)
    order = source.options.sort != nil ? .sorted : .asItStands
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
      try self.readAll { read throws(CatalogueError) in try add(read.item) }
    }
  }

  /// Reads everything into `importer`, each item to the strip that the file names.
  ///
  /// Strips are replaced one after the other. Where the rows of one turn out not to stand together
  /// the import begins again, with all of them put in order.
  ///
  /// - Returns: how many strips that are.
  /// - Throws: as above.
  func runMany(
    into importer: any StripImporter, _ mode: StripImport.Mode, settings: SettingsChange
  ) throws(CatalogueError) -> StripCounts {
    defer { progress.end() }
    if order == .asItStands { order = mode == .replace ? .together : .stripByStrip }
    // What comes from a pipe comes once.
    if order == .together && input.size == nil { order = .sorted }
    do throws(CatalogueError) {
      return try give(to: importer, mode, settings: settings)
    } catch {
      guard isScattered else { throw error }
      try beginAgain()
      return try give(to: importer, mode, settings: settings)
    }
  }

  private func give(
    to importer: any StripImporter, _ mode: StripImport.Mode, settings: SettingsChange
  ) throws(CatalogueError) -> StripCounts {
    interruption.whenItComes { importer.interrupt() }
    return try importer.runMany(mode, settings: settings, title: { self.titles[$0] }) {
      add throws(CatalogueError) in
      try self.readAll { read throws(CatalogueError) in try add(read.item, read.strip ?? "") }
    }
  }

  private func beginAgain() throws(CatalogueError) {
    (isScattered, order) = (false, .sorted)
    (tally, titles) = (ImportTally(), [:])
    (input, reader) = try source.open()
    progress.end()
    progress = ImportProgress(input: input)
  }

  /// Gives all items to `add`, and counts them.
  ///
  /// - Throws: `.invalid` as well where there are records and none of them is an item: a strip that is
  ///   replaced would be emptied by a file that is not what it should be.
  private func readAll(
    _ add: (ReadItem) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try read { (read: ReadItem, line: Int) throws(CatalogueError) in
      try passing(line) { () throws(CatalogueError) in
        try add(read)
        tally.count(read)
      }
    }
    if let reason = tally.emptiness { throw .invalid("\(input.name): \(reason)") }
  }

  private func read(
    intoOrder give: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    switch order {
    case .asItStands: while let next = try next() { try give(next.read, next.line) }
    case .stripByStrip, .together: try readByStrips(give)
    case .sorted: try readSorted(after: nil, give)
    }
  }

  /// Gives items as they come, as long as those of each strip come together. From the first on that
  /// is for a strip that had ended, all are put in order first, if that is not too late.
  private func readByStrips(
    _ give: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    var strips: Set<String> = []
    var current: String?
    while let next = try next() {
      if next.read.strip != current {
        current = next.read.strip
        guard strips.insert(current ?? "").inserted else {
          isScattered = order == .together
          guard !isScattered else { throw .invalid("the rows of a strip do not stand together") }
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
        tally.read += 1
        if let strip = read.strip, let title = read.stripTitle, titles[strip] == nil {
          titles[strip] = title
        }
        return (read, reader.line)
      } catch {
        // What was swallowed is not skipped: it would be gone from a strip that is replaced.
        guard !reader.endsOpen else { throw error.at(line: reader.line, of: input.name) }
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
