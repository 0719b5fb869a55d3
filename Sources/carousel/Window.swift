import ArgumentParser
import Catalogue
import HTTP
import Serving

/// `carousel window`: what `/window` answers, on standard output.
struct Window: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "window",
    abstract: "Print the JSON that /window answers.",
    discussion: "The options are /window's parameters, and mean the same.")

  @Option(help: Database.help)
  var database: String

  @Option(help: "The strip's name.")
  var strip: String

  @Option(parsing: .unconditional, help: "Where the viewport begins, in px.")
  var offset: String?

  @Option(parsing: .unconditional, help: "How long the viewport is, in px. Default: 1024.")
  var width: String?

  @Option(parsing: .unconditional, help: "How high the strip is drawn, in px.")
  var height: String?

  @Option(parsing: .unconditional, help: "What is added on both sides, in px.")
  var overscan: String?

  @Option(parsing: .unconditional, help: "The stretch that slots are counted for, in px.")
  var pool: String?

  @Option(parsing: .unconditional, help: "The index of the item to stand at.")
  var index: String?

  @Option(parsing: .unconditional, help: "The id of the item to stand at.")
  var item: String?

  @Option(help: "Where that item stands: start, center, end or nearest.")
  var align: String?

  @Option(parsing: .unconditional, help: "The px of the viewport where that item starts.")
  var at: String?

  @Option(help: "Whether the strip runs on past its ends: true or false.")
  var wrap: String?

  @Option(parsing: .unconditional, help: "The items that are there already: first..end.")
  var have: String?

  @Option(parsing: .unconditional, help: "The revision to answer at.")
  var revision: String?

  @Option(help: "json or html.")
  var format: String?

  func run() throws {
    let given: [(name: StaticString, value: String?)] = [
      ("strip", strip), ("offset", offset), ("width", width), ("height", height),
      ("overscan", overscan), ("pool", pool), ("index", index), ("item", item), ("align", align),
      ("at", at), ("wrap", wrap), ("have", have), ("revision", revision), ("format", format),
    ]
    let site = App(
      catalogue: try Database.catalogue(at: database), files: nil,
      pages: PageFile(path: (try? PublicFolder.path(nil)).map { $0 + "/index.html" } ?? ""))
    let pairs: [Query.Pair] = given.compactMap { name, value in
      value.map { (name: Array(name.description.utf8)[...], value: Array($0.utf8)[...]) }
    }
    let window: [UInt8]
    do throws(Problem) {
      window = try site.window(WindowQuery(Query(pairs)))
    } catch {
      switch error.status {
      case 400: throw ValidationError(error.detail)
      case 404, 410: throw Failure.data(error.detail)
      default: throw Failure.input(error.detail)
      }
    }
    try StandardOutput.write(line: String(decoding: window, as: UTF8.self))
  }
}
