import ArgumentParser
import Catalogue
import Foundation
import Windowing

/// `carousel import`: a file of items becomes a strip of a database.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes a strip of a CSV or JSON Lines file.",
    discussion: """
      The strip is there whole when the command succeeds; else the database is as it was. Without \
      a database, one is made.

      A table's columns become members of items by --map: id, kind, aspect, width and group are \
      members, any other name is a field, such as title, subtitle, image, alt, href, color.

        carousel import tate.csv --database tate.db --strip tate --map id=accession_number \\
          --map title=title --map aspect=width/height --aspect-range 0.25:4 --sort year

      --strip-from names a column instead: each row goes to the strip that it says there, wherever \
      in the file it stands. Names are brought to the allowed form (Blue Note becomes blue-note), and \
      what the column says first is the strip's title. In JSON Lines it names a member beside those of the item, and names of strips must be valid.

      --replace writes what differs from the items that a strip has, in one revision; former \
      revisions stay readable while they are held. Where it takes more than half a million changes \
      (an item comes, goes, is moved, says something else) the strip begins anew, and its former \
      revisions are gone. With --strip-from that is done for each strip that the file names: one \
      that is what it was, settings included, keeps its revision, and those that the file does not \
      name stay what they are.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Option(help: Database.help)
  var database: String

  @Option(help: "The name of the strip.")
  var strip: String?

  @Option(
    help: ArgumentHelp(
      "Many strips out of one file: the column, in JSON Lines the member, that names each item's.",
      valueName: "column"))
  var stripFrom: String?

  @Option(help: "csv or jsonl; by default what the file's name ends with.")
  var format: ImportFormat?

  @Option(
    help: ArgumentHelp(
      "Take a member or field from a column, or from the quotient of two; fields=* takes all others.",
      valueName: "member=column"))
  var map: [String] = []

  @Option(help: "Put the items in order by a column: numbers, then text, then the empty.")
  var sort: String?

  @Option(help: "What people read as the strip's title; by default its name.")
  var title: String?

  @Option(parsing: .unconditional, help: "The strip's height in px.")
  var height: Double?

  @Option(parsing: .unconditional, help: "The gap between two items in px.")
  var gap: Double?

  @Option(
    parsing: .unconditional, help: "The space before the first item and behind the last in px.")
  var inset: Double?

  @Flag(help: "Let the strip begin again behind its end.")
  var loop = false

  @Option(
    parsing: .unconditional, help: "The width in px of an item with neither aspect nor width.")
  var itemWidth: Double?

  @Option(help: ArgumentHelp("Bring aspects into a range, such as 0.25:4.", valueName: "min:max"))
  var aspectRange: AspectRange?

  @Flag(help: "Put the items behind those of a strip that exists, or in the place of them.")
  var existing: Existing?

  @Option(
    help:
      "What to do with a record that is no item: stop or skip. A file without any item is a fault."
  )
  var onError: OnError = .stop

  @Flag(
    help: """
      Show the mapping and the first items, check everything, also against what the database holds, \
      and write nothing.
      """)
  var dryRun = false

  enum Existing: String, EnumerableFlag { case append, replace }
  enum OnError: String, ExpressibleByArgument, CaseIterable { case stop, skip }

  func validate() throws {
    guard (strip == nil) != (stripFrom == nil) else {
      throw ValidationError("give one of --strip and --strip-from")
    }
    do {
      if let strip { try StripName.check(strip) }
      _ = try ImportMapping(map)
      _ = try settings().applied(to: StripSettings(title: strip ?? ""))
    } catch {
      throw ValidationError("\(error)")
    }
    switch format ?? ImportFormat(fileName: file) {
    case nil:
      throw ValidationError("the name of \(file) does not end in .csv or .jsonl: say --format")
    case .jsonl where !map.isEmpty:
      throw ValidationError("--map is for tables: JSON Lines name their members")
    case .jsonl where stripFrom.map(ImportMapping.isOfAnItem) ?? false:
      throw ValidationError("--strip-from must be a member that no item has: \(stripFrom ?? "")")
    default: break
    }
  }

  func run() throws {
    let interruption = CancellationSignal()
    do throws(CatalogueError) {
      try work(interruption)
    } catch {
      guard error == .interrupted else { throw error }
      StandardError.write(line: error.description)
      interruption.endIfItHasCome()
      throw error
    }
  }

  private func work(_ interruption: CancellationSignal) throws(CatalogueError) {
    let source = ImportSource(
      file: file, format: format ?? ImportFormat(fileName: file) ?? .csv,
      mapping: try ImportMapping(map),
      options: ReadingOptions(aspectRange: aspectRange?.range, sort: sort, strip: stripFrom),
      interruption: interruption)
    let run = try ImportRun(
      source, scratch: Database.scratch(for: database), skipsFaults: onError == .skip)
    guard !dryRun else {
      return try rehearse(run, over: Database.formerStrips(at: database))
    }
    let importer = try Database.importer(at: database)
    guard let strip else {
      let counts = try run.runMany(into: importer, mode, settings: settings())
      print(mode == .replace ? counts.line : counts.all.of("strip"))
      return run.tally.lines.forEach { print($0) }
    }
    let imported = try run.run(into: importer, as: request(strip))
    print("\(strip): revision \(imported.revision), \(imported.count.of("item"))")
    let isWhole = run.tally.items == imported.count
    let lines = run.tally.lines
    (isWhole ? Array(lines.dropFirst()) : ["of this file:"] + lines).forEach { print($0) }
  }

  private func rehearse(
    _ run: ImportRun, over former: any ExistingStrips
  ) throws(CatalogueError) {
    let rehearsal = DryRun(over: former, mode)
    if let mapping = run.mapping {
      print("mapping:")
      mapping.lines.forEach { print("  \($0)") }
    }
    print("first items:")
    if let strip {
      _ = try run.run(into: rehearsal, as: request(strip))
    } else {
      print(try run.runMany(into: rehearsal, .make, settings: settings()).all.of("strip"))
    }
    run.tally.lines.forEach { print($0) }
    print("a dry run: nothing was written")
  }

  private func request(_ strip: String) throws(CatalogueError) -> StripImport {
    StripImport(name: strip, mode: mode, settings: try settings())
  }

  private var mode: StripImport.Mode {
    switch existing {
    case .append: .append
    case .replace: .replace
    case nil: .make
    }
  }

  private func settings() throws(CatalogueError) -> SettingsChange {
    var change = SettingsChange()
    change.title = title
    change.height = try height.map { px throws(CatalogueError) in try length(px, "height") }
    change.gap = try gap.map { px throws(CatalogueError) in try length(px, "gap") }
    change.inset = try inset.map { px throws(CatalogueError) in try length(px, "inset") }
    change.itemWidth = try itemWidth.map { px throws(CatalogueError) in
      try length(px, "item-width")
    }
    change.loop = loop ? true : nil
    return change
  }

  private func length(_ px: Double, _ name: String) throws(CatalogueError) -> Length {
    guard let length = Length(px: px) else { throw .invalid("\(name): \(px) is no length") }
    return length
  }
}

/// What a file of items is written in.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, jsonl

  /// The format that a file's name ends with.
  init?(fileName: String) {
    if fileName.lowercased().hasSuffix(".csv") {
      self = .csv
    } else if fileName.lowercased().hasSuffix(".jsonl")
      || fileName.lowercased().hasSuffix(".ndjson")
    {
      self = .jsonl
    } else {
      return nil
    }
  }
}

/// `MIN:MAX`, two decimals within 0 and 1000.
struct AspectRange: ExpressibleByArgument {
  let range: ClosedRange<Double>

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let low = Double(parts[0]), let high = Double(parts[1]),
      0...1000 ~= low, low...max(low, 1000) ~= high
    else { return nil }
    range = low...high
  }
}
