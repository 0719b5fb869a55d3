import ArgumentParser
import Catalogue

/// `carousel backup`: a copy of a database, whole while it is being served and written.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy a database, whatever is done with it meanwhile.")

  @Argument(help: "The file to make; there must be none.")
  var file: String

  @Option(help: Database.help)
  var database: String

  func run() throws { try Database.backup(database, to: file) }
}
