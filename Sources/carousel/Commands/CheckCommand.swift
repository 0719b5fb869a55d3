import ArgumentParser
import Catalogue
import SQLCatalogue

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a database for damage.",
    discussion: """
      Reads the whole database once. Servers and other commands can use it at the same time. Each \
      fault is a line on standard error. The exit status is 74 if there are faults.
      """)

  @OptionGroup var database: DatabaseOption

  func run() throws {
    let store = try database.store()
    let check = try IntegrityCheck(store.database(for: .command))
    for fault in check.faults { StandardError.write(line: fault) }
    guard check.faults.isEmpty else {
      throw CatalogueError.failed(
        "\(store.name): \(check.faults.count.of("fault")). Restore a backup, or import the strips again."
      )
    }
    try StandardOutput.write(line: "\(store.name): \(check.count.of("item")), no fault")
  }
}
