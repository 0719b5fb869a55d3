import ArgumentParser
import HTTP
import Items
import Serving
import Views

extension App {
  static func answering<Value>(
    _ database: DatabaseOption, _ given: [String: String],
    _ answer: (App, Query) throws(Problem) -> Value
  ) throws -> Value {
    let app = App(
      catalogue: try database.location().catalogue(), files: nil,
      pages: PageFile(path: (try? PublicFolder.path(nil)).map { $0 + "/index.html" } ?? ""))
    let pairs = given.sorted { $0.key < $1.key }
      .map { (name: Bytes($0.key.utf8), value: Bytes($0.value.utf8)) }
    do throws(Problem) {
      return try answer(app, Query(pairs))
    } catch {
      switch error.status {
      case 400: throw ValidationError(error.detail)
      case 404, 410: throw CatalogueError.invalid(error.detail)
      default: throw CatalogueError.failed(error.cause ?? error.detail)
      }
    }
  }
}

struct WindowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "window",
    abstract: "Print the answer of GET /window.",
    discussion: "The options have the names and meanings of the parameters of /window.")

  @OptionGroup var database: DatabaseOption

  @Option(help: "The name of the strip.")
  var strip: String

  @Option(help: "How the items are arranged: strip, list, grid or rows. (default: the strip's)")
  var layout: String?

  @Option(signed: "The start of the viewport in px. (default: 0)")
  var offset: String?

  @Option(
    signed: "The width of the viewport, or of the content of a layout, in px. (default: 1024)")
  var width: String?

  @Option(
    signed: """
      The height at which the strip is drawn, or of the viewport of a layout, in px. (default: the \
      strip's)
      """)
  var height: String?

  @Option(signed: "The number of columns of a grid. (default: as many as fit)")
  var columns: String?

  @Option(signed: "The least width of a column of a grid, in px. (default: the strip's itemWidth)")
  var column: String?

  @Option(signed: "The target height of justified rows, in px. (default: the strip's height)")
  var row: String?

  @Option(signed: "The px above the first row of a group. (default: 0)")
  var heading: String?

  @Option(signed: "The px to add on both sides of the viewport. (default: 0)")
  var overscan: String?

  @Option(signed: "The stretch that the pools are for, in px. (default: width + 2 overscan)")
  var pool: String?

  @Option(signed: "The index of the item to place in the viewport.")
  var index: String?

  @Option(signed: "The id of the item to place in the viewport.")
  var item: String?

  @Option(help: "How to align that item: start, center, end or nearest. (default: start)")
  var align: String?

  @Option(signed: "The distance of that item from the viewport's start, in px.")
  var at: String?

  @Option(help: "Whether the strip wraps around: true or false. (default: the strip's loop)")
  var wrap: String?

  @Option(signed: "The items that the caller has already: first..end. Needs --revision.")
  var have: String?

  @Option(signed: "The revision of the strip. (default: the newest)")
  var revision: String?

  @Option(help: "json or html. (default: json)")
  var format: String?

  @OptionGroup var view: ViewOptions

  func run() throws {
    let given = parameters.merging(view.parameters) { $1 }.merging(["strip": strip]) { $1 }
    let window = try App.answering(database, given) { app, query throws(Problem) in
      try app.renderWindow(WindowQuery(query))
    }
    try StandardOutput.write(line: String(decoding: window, as: UTF8.self))
  }
}

struct ViewOptions: ParsableArguments {
  @Option(signed: "The name of a stored list: its items in its order.")
  var list: String?

  @Option(signed: ArgumentHelp("A filter, such as 'year 1800 TO 1850'.", valueName: "filter"))
  var `where`: String?

  @Option(signed: ArgumentHelp("Words to search for.", valueName: "words"))
  var q: String?

  @Option(
    signed: ArgumentHelp("Fields to sort by; - before one sorts descending.", valueName: "fields"))
  var sort: String?
}

extension ParsableArguments {
  var parameters: [String: String] {
    var given: [String: String] = [:]
    for child in Mirror(reflecting: self).children {
      guard let label = child.label, let option = child.value as? Option<String?> else { continue }
      given[String(label.dropFirst())] = option.wrappedValue
    }
    return given
  }
}
