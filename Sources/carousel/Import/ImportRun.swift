import Catalogue
import Items
import SQLiteDatabase

/// Reads items from a file, sorts them if necessary, and passes them to an importer.
final class ImportRun {
  private typealias NumberedItem = (read: ParsedItem, lines: ClosedRange<Int>)

  private let source: ImportSource
  private var input: InputFile
  private var reader: any ItemReader
  /// Whether items are sorted by strip, then by the column of `--sort`. Otherwise they have the order
  /// of the file as long as the items of each strip are contiguous, and the rest is sorted.
  private var isSorted: Bool
  /// Whether the items of each strip must be contiguous if they are not sorted.
  private var mustBeContiguous = false
  private let scratchFolder: String
  private let skipsInvalid: Bool
  private let allowsEmpty: Bool
  private let skipped: SkippedRecords?
  private var progress: ImportProgress
  private let declared: DeclaredFields
  private(set) var report: ImportReport
  private var isNotContiguous = false
  /// The title of each strip: the first spelling of its name in the file, whatever the order.
  private var titles: [String: String] = [:]

  /// - Parameter scratchFolder: a folder for the temporary file of a sort.
  init(
    _ source: ImportSource, scratchFolder: String, skipsInvalid: Bool, allowsEmpty: Bool,
    declared: DeclaredFields, skipped: SkippedRecords?
  ) throws(CatalogueError) {
    self.source = source
    (input, reader) = try source.open()
    self.scratchFolder = scratchFolder
    self.skipsInvalid = skipsInvalid
    self.allowsEmpty = allowsEmpty
    self.skipped = skipped
    self.declared = declared
    report = ImportReport(declared)
    progress = ImportProgress(of: input)
    isSorted = source.options.sort != nil
  }

  var mapping: ColumnMapping? { (reader as? CSVItemReader)?.mapping }

  /// Imports the file. If it replaces several strips, and the items of a strip are not together, the
  /// import starts again and sorts them.
  ///
  /// - Throws: `.invalid` with `FILE:LINE: ` for an invalid item, unless such items are skipped.
  func run(
    into importer: any StripImporter, _ request: StripImport
  ) throws(CatalogueError) -> (counts: StripCounts, last: ImportedStrip?) {
    defer { progress.clear() }
    source.cancellation.onCancel { importer.interrupt() }
    mustBeContiguous = request.name == nil && request.mode == .replace
    // A pipe cannot be read twice.
    if mustBeContiguous && input.size == nil { isSorted = true }
    do throws(CatalogueError) {
      return try runOnce(into: importer, request)
    } catch {
      guard isNotContiguous else { throw error }
      try restart()
      return try runOnce(into: importer, request)
    }
  }

  private func runOnce(
    into importer: any StripImporter, _ request: StripImport
  ) throws(CatalogueError) -> (counts: StripCounts, last: ImportedStrip?) {
    var request = request
    request.title = { self.titles[$0] }
    let name = request.name
    return try importer.run(request) { add throws(CatalogueError) in
      try self.readAll { read throws(CatalogueError) in
        try add(read.item, name ?? read.strip ?? "")
      }
    }
  }

  private func restart() throws(CatalogueError) {
    (isNotContiguous, isSorted) = (false, true)
    (report, titles) = (ImportReport(declared), [:])
    skipped?.restart()
    (input, reader) = try source.open()
    progress.clear()
    progress = ImportProgress(of: input)
  }

  /// - Throws: `.invalid` also if no item is valid: a wrong file would empty a replaced strip.
  private func readAll(
    _ add: (ParsedItem) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try self.read { (read: ParsedItem, lines: ClosedRange<Int>) throws(CatalogueError) in
      try skippingInvalid(lines) { () throws(CatalogueError) in
        try add(read)
        report.count(read)
      }
    }
    try skipped?.finish()
    if let error = report.noItemError { throw .invalid("\(input.name): \(error)") }
    guard report.read > 0 || allowsEmpty else {
      throw .invalid(
        "\(input.name): it has no items, and --replace would empty the strip: if you want that, add "
          + "--allow-empty")
    }
  }

  private func read(
    _ body: (ParsedItem, ClosedRange<Int>) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard !isSorted else { return try readSorted(after: nil, body) }
    var strips: Set<String> = []
    var current: String?
    while let next = try next() {
      if next.read.strip != current {
        current = next.read.strip
        guard strips.insert(current ?? "").inserted else {
          isNotContiguous = mustBeContiguous
          guard !isNotContiguous else { throw .invalid("the items of a strip are not contiguous") }
          return try readSorted(after: next, body)
        }
      }
      try body(next.read, next.lines)
    }
  }

  private func readSorted(
    after first: NumberedItem?,
    _ body: (ParsedItem, ClosedRange<Int>) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    let sorter = try ExternalSorter(in: scratchFolder)
    source.cancellation.onCancel { sorter.interrupt() }
    try sorter.store { add throws(CatalogueError) in
      if let first { try add(first.read, first.lines) }
      while let next = try next() { try add(next.read, next.lines) }
    }
    progress.show("sorting")
    try sorter.forEachSorted(body)
  }

  private func next() throws(CatalogueError) -> NumberedItem? {
    while true {
      do throws(CatalogueError) {
        guard let read = try reader.next() else { return nil }
        progress.count()
        report.read += 1
        if let strip = read.strip, let title = read.stripTitle, titles[strip] == nil {
          titles[strip] = title
        }
        return (read, reader.lines)
      } catch {
        // An unclosed quote hides the rest of the file, which would be missing in the strip.
        guard reader.endsOpen else {
          try skippingInvalid(reader.lines) { () throws(CatalogueError) in throw error }
          continue
        }
        let stop = error.at(reader.lines, of: input.name)
        try list(stop, reader.lines)
        try skipped?.finish()
        throw stop
      }
    }
  }

  /// With `--on-error skip`, counts and lists an invalid record, which takes these lines.
  private func skippingInvalid(
    _ lines: ClosedRange<Int>, _ body: () throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    do throws(CatalogueError) {
      try body()
    } catch {
      let located = error.at(lines, of: input.name)
      guard case .invalid = error, skipsInvalid else { throw located }
      report.skip(located.description, lines: lines.count)
      try list(located, lines)
    }
  }

  private func list(
    _ error: CatalogueError, _ lines: ClosedRange<Int>
  ) throws(CatalogueError) {
    try skipped?.append(error.description)
    for line in lines.dropFirst() {
      try skipped?.append("\(input.name):\(line): it is in the record of line \(lines.lowerBound)")
    }
  }
}

extension ItemReader {
  /// The lines that the last record takes.
  fileprivate var lines: ClosedRange<Int> { line...max(line, lastLine) }
}
