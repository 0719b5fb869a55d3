import ArgumentParser
import Catalogue

/// `carousel check`: looks through a database, and says what is wrong with it.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look through a database for damage.",
    discussion: "Reads everything once; it may be served and written meanwhile.")

  @Option(help: Database.help)
  var database: String

  func run() throws {
    let examination = try Database.examination(of: database)
    let name = try Database.name(of: database)
    for fault in examination.faults { StandardError.write(line: fault) }
    guard examination.faults.isEmpty else {
      throw Failure.input("\(name): \(examination.faults.count.of("fault"))")
    }
    try StandardOutput.write(line: "\(name): \(examination.count.of("item")), no fault")
  }
}
