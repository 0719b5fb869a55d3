import ArgumentParser
import Catalogue

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy a SQLite database, also while a server uses it.",
    discussion: """
      The copy is the database at one moment. For PostgreSQL, use pg_dump.
      """)

  @Argument(help: "The file to create; it must not exist.")
  var file: String

  @OptionGroup var database: DatabaseOption

  func run() throws { try database.store().backup(to: file) }
}
