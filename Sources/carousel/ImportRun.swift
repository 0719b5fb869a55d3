import Items
import ItemsInSQLite

/// One import: reads items from a file, puts them in order if asked, gives them to a store, and
/// counts what it has done.
final class ImportRun {
  private let input: InputFile
  private var reader: any ItemReader
  private let sorts: Bool
  /// A folder with room to sort in.
  private let scratch: String
  private let skipsFaults: Bool
  private let interruption: Interruption
  private var progress: ImportProgress
  private(set) var tally = ImportTally()

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
    progress = ImportProgress(input: input)
  }

  /// Where members and fields are taken from; nil for what is no table.
  var mapping: ColumnMapping? { (reader as? CSVItems)?.mapping }

  /// Reads everything into `importer`.
  ///
  /// - Throws: `.invalid` with `FILE:LINE: ` before the sentence, unless faults are skipped.
  func run(
    into importer: any StripImporter, as request: StripImport
  ) throws(CatalogueError) -> ImportedStrip {
    interruption.whenItComes { importer.interrupt() }
    defer { progress.end() }
    return try importer.run(request) { add throws(CatalogueError) in
      let give = { (read: ReadItem, line: Int) throws(CatalogueError) in
        try self.passing(line) { () throws(CatalogueError) in
          try add(read.item)
          self.tally.count(read)
        }
      }
      if self.sorts { try self.readSorted(give) } else { try self.read(give) }
    }
  }

  private func read(
    _ give: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    var isAtEnd = false
    while !isAtEnd {
      var next: ReadItem?
      do throws(CatalogueError) {
        next = try reader.next()
        isAtEnd = next == nil
      } catch {
        try passing(reader.line) { () throws(CatalogueError) in throw error }
      }
      if let next { try give(next, reader.line) }
      progress.count(next)
    }
  }

  private func readSorted(
    _ give: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    let stage = try SortingStage(in: scratch)
    interruption.whenItComes { stage.interrupt() }
    try stage.take { add throws(CatalogueError) in try read(add) }
    progress.say("sorting")
    try stage.giveInOrder(give)
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
