import ArgumentParser
import Catalogue
import Items
import SQLCatalogue
import Windowing

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a CSV or JSON Lines file, or a folder of pictures, into a strip.",
    discussion: """
      An import is one transaction: if it fails, the database does not change. A SQLite file that \
      does not exist is created.

      CSV: --map assigns columns to members of an item (id, kind, aspect, width, group) or to its \
      fields. Any other name is a field, for example title, subtitle, image, alt, href, color.

        carousel import tate.csv --database tate.db --strip tate --map id=accession_number \\
          --map title=title --map aspect=width/height --aspect-range 0.25:4 --sort year

      --map id=@row numbers the records of a table without an id. @3 is the third column, for a \
      column without a name. 'fields=*' takes no column without a name.

      gzip is recognized. --encoding converts text that is not UTF-8, --delimiter reads tables with \
      other separators:

        carousel import list.csv.gz --database list.db --strip list --encoding windows-1252 \
          --delimiter ';' --map id=@row --map title=Titel --map subtitle=@4

      --strip-from imports into many strips. In CSV it names the column with the strip's name. \
      Names are converted to the allowed form (Blue Note becomes blue-note), and the first spelling \
      is the strip's title. In JSON Lines it names an additional member, whose values must be valid \
      names.

      --replace compares the items with the strip and writes the differences as one revision. \
      Earlier revisions stay available as after an edit. A replacement with more than half a million \
      changes rewrites the strip, and its earlier revisions are gone (410). A change is an item that \
      is added, removed, moved or updated. With --strip-from, only the strips in the file are \
      replaced. A strip without differences keeps its revision.

      A folder is read once, with the fields of "carousel photos". Your own server sends its pictures:

        carousel import Pictures --database photos.db --strip photos --image-base https://example.org/{w}/
      """)

  @Argument(help: "The file or the folder; - is standard input.")
  var file: String

  @OptionGroup var database: DatabaseOption

  @Option(help: "The name of the strip.")
  var strip: String?

  @Option(
    help: ArgumentHelp(
      "Import into many strips: the column or member with the strip's name.",
      valueName: "column"))
  var stripFrom: String?

  @Option(help: "The format: csv or jsonl. (default: by the file's name)")
  var format: ImportFormat?

  @Option(
    signed: ArgumentHelp(
      "The character between two cells of a CSV file, or tab. (default: a comma)",
      valueName: "character"))
  var delimiter: Delimiter?

  @Option(
    help: ArgumentHelp(
      """
      The encoding of the file: utf-16, windows-1252, or another one that \"iconv --list\" shows. \
      (default: utf-8)
      """, valueName: "name"))
  var encoding: TextEncoding?

  @Option(
    help: ArgumentHelp(
      """
      Take a member or field from a column, or from the quotient of two columns (width/height). \
      @3 is the third column. id=@row numbers the records. 'fields=*' takes all other columns.
      """,
      valueName: "member=column"))
  var map: [String] = []

  @Option(
    help: "Sort the items by a column: numbers, then text, then empty cells. The sort is stable.")
  var sort: String?

  @Option(help: "The title of the strip. (default: its name)")
  var title: String?

  @Option(length: "The height of the strip in px.")
  var height: Length?

  @Option(length: "The gap between items in px. (default: 8)")
  var gap: Length?

  @Option(length: "The space before the first and after the last item in px.")
  var inset: Length?

  @Flag(help: "Make the strip wrap around at its ends.")
  var loop = false

  @Option(length: "The width of an item without aspect and width, in px.")
  var itemWidth: Length?

  @Option(
    help: """
      How the items are arranged: strip, list, grid or rows. (default: strip; the server's own page shows a \
      strip that can be filtered or searched as a grid)
      """)
  var layout: LayoutMode?

  @Option(length: "The height of an item without an aspect in a list, in px. (default: 64)")
  var itemHeight: Length?

  @Option(
    help: ArgumentHelp(
      """
      The same for kinds, in px: {"spacer":24}. Changes those of the strip. A kind with null has none.
      """, valueName: "json"),
    transform: {
      try SettingsPatch(json: Array("{\"itemHeights\":\($0)}".utf8)).itemHeights ?? ItemHeights()
    })
  var itemHeights: ItemHeights?

  @Option(
    aspect: "The aspect of a cell of a grid, and of an item without an aspect in rows. (default: 1)"
  )
  var cellAspect: Aspect?

  @Option(length: "The height that a list and a grid add to an item for its words, in px.")
  var caption: Length?

  @Option(
    help: ArgumentHelp(
      """
      Fields that views can filter and sort by and count: up to 32. Replaces those of the strip. A name \
      with a comma stands in double quotes.
      """,
      valueName: "field,..."))
  var filterable: FieldList?

  @Option(
    help: ArgumentHelp(
      "Fields that views search: up to 8. Replaces those of the strip.", valueName: "field,..."))
  var searchable: FieldList?

  @Option(
    help: ArgumentHelp(
      """
      How readers see fields, as for PUT /strips/{strip}: \
      {"price":{"label":"Price","unit":"EUR","format":"currency"}}. Changes those of the strip.
      """, valueName: "json"),
    transform: {
      try SettingsPatch(json: Array("{\"fields\":\($0)}".utf8)).fields ?? FieldSettings()
    })
  var fields: FieldSettings?

  @Option(help: ArgumentHelp("Clamp aspects to a range, such as 0.25:4.", valueName: "min:max"))
  var aspectRange: AspectRange?

  @Flag(help: "If the strip exists: append the items to it, or replace its items.")
  var existing: Existing?

  @Flag(help: "Let --replace empty the strip if the file has no items.")
  var allowEmpty = false

  @Option(
    help: """
      What to do with an invalid record: stop or skip. A file without a valid item is always an error.
      """)
  var onError: OnError = .stop

  @Option(
    help: ArgumentHelp(
      "Write each record that --on-error skip skips to a file, a line each: FILE:LINE: REASON.",
      valueName: "file"))
  var skipped: String?

  @Flag(
    help: """
      Check the file against the database, show the mapping and the first items, and suggest \
      fields to filter and search. Write nothing.
      """)
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      """
      The start of the addresses of a folder's pictures, before the path of the file. {w} in it stands for the width in \
      pixels that a page needs. (default: no addresses)
      """, valueName: "url"))
  var imageBase: String?

  enum Existing: String, EnumerableFlag { case append, replace }

  func validate() throws {
    guard (strip == nil) != (stripFrom == nil) else {
      throw ValidationError("give either --strip or --strip-from")
    }
    do {
      if let strip { try StripName.check(strip) }
      _ = try ImportMapping(map)
      _ = try settings.applied(to: StripSettings(title: ""), of: "")
    } catch {
      throw ValidationError("\(error)")
    }
    guard skipped == nil || onError == .skip else {
      throw ValidationError("--skipped needs --on-error skip: otherwise no record is skipped")
    }
    guard !isFolder else { return try validateFolder() }
    guard imageBase == nil else { throw ValidationError("--image-base is for folders only") }
    switch format ?? ImportFormat(fileName: file) {
    case nil:
      throw ValidationError("\(file) does not end in .csv or .jsonl: give its format with --format")
    case .jsonl where !map.isEmpty:
      throw ValidationError("--map is for CSV only: remove it, or give --format csv")
    case .jsonl where delimiter != nil:
      throw ValidationError("--delimiter is for CSV only: remove it, or give --format csv")
    case .jsonl where stripFrom.map(ImportMapping.isMember) ?? false:
      throw ValidationError(
        "--strip-from must name an additional member: \(stripFrom ?? "") is a member of an item")
    default: break
    }
  }

  func run() throws {
    let cancellation = CancellationSignal()
    do throws(CatalogueError) {
      try run(cancellation)
      if !dryRun { maintain(cancellation) }
    } catch {
      guard error == .interrupted else { throw error }
      StandardError.write(line: error.description)
      cancellation.raiseAgain()
      throw error
    }
  }

  private func run(_ cancellation: CancellationSignal) throws(CatalogueError) {
    let location = try database.location()
    guard !isFolder else { return try importFolder(into: location, cancellation) }
    let source = ImportSource(
      file: file, format: format ?? ImportFormat(fileName: file) ?? .csv,
      encoding: encoding.flatMap { $0.isUTF8 ? nil : $0 }, mapping: try ImportMapping(map),
      options: ReadingOptions(
        aspectRange: aspectRange?.range, sort: sort, strip: stripFrom, delimiter: delimiter?.byte,
        encoding: encoding.flatMap { $0.isUTF8 ? nil : $0.name }),
      cancellation: cancellation)
    let run = try ImportRun(
      source, scratchFolder: location.scratchFolder, skipsInvalid: onError == .skip,
      allowsEmpty: allowEmpty || strip == nil || existing != .replace,
      declared: DeclaredFields(filterable: filterable, searchable: searchable),
      skipped: skipped.map { file throws(CatalogueError) in try SkippedRecords(to: file) })
    let request = StripImport(name: strip, mode: mode, settings: settings)
    defer { run.report.warnings.forEach { StandardError.write(line: $0) } }
    guard !dryRun else { return try check(run, request, in: location.importDatabase()) }
    let (counts, last) = try run.run(into: SQLStripImporter(location.importDatabase()), request)
    var lines = run.report.lines
    if let strip, let last {
      print("\(strip): revision \(last.revision), \(last.count.of("item"))")
      if run.report.items == last.count { lines.removeFirst() } else { print("from this file:") }
    } else {
      print(mode == .replace ? counts.line : counts.all.of("strip"))
    }
    lines.forEach { print($0) }
  }

  private func check(
    _ run: ImportRun, _ request: StripImport, in database: any SQLImportDatabase
  ) throws(CatalogueError) {
    let dryRun = DryRun(against: ExistingStrips(try database.existing()), mode)
    var request = request
    // A dry run takes the items in any order, so that no replacement sorts them.
    request.mode = .create
    if let mapping = run.mapping {
      print("mapping:")
      mapping.lines.forEach { print("  \($0)") }
    }
    let counts = try run.run(into: dryRun, request).counts
    if strip == nil { print(counts.all.of("strip")) }
    run.report.lines.forEach { print($0) }
    if filterable == nil, searchable == nil, let options = dryRun.suggestedOptions {
      print("to filter and search: \(options)")
    }
    print("dry run: nothing was written")
  }

  /// Runs maintenance after the import. If it fails, the import is committed nevertheless.
  private func maintain(_ cancellation: CancellationSignal) {
    do throws(CatalogueError) {
      let editor = try database.location().editor()
      cancellation.onCancel { editor.close() }
      defer { editor.close() }
      guard !cancellation.isCancelled else { return }
      try editor.maintain()
    } catch {
      guard !cancellation.isCancelled else { return }
      StandardError.write(
        line: "The import is complete, but old rows stay in the database for now: \(error)")
    }
  }

  var mode: StripImport.Mode {
    switch existing {
    case .append: .append
    case .replace: .replace
    case nil: .create
    }
  }

  var settings: SettingsPatch {
    var change = SettingsPatch()
    change.title = title
    change.height = height
    change.gap = gap
    change.inset = inset
    change.itemWidth = itemWidth
    change.loop = loop ? true : nil
    change.layout = layout
    change.itemHeight = itemHeight
    change.itemHeights = itemHeights
    change.caption = caption
    change.cellAspect = cellAspect
    change.filterable = filterable?.names
    change.searchable = searchable?.names
    change.fields = fields
    return change
  }
}

extension LayoutMode: ExpressibleByArgument {}

enum OnError: String, ExpressibleByArgument, CaseIterable { case stop, skip }
