import ArgumentParser
import Foundation
import Items

/// The command: it reads what was typed, and hands it to the one of its commands that was named.
@main
struct Carousel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves horizontal strips of any length, a window at a time.",
    subcommands: [Import.self, Export.self, Strips.self])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as CatalogueError {
      StandardError.write(line: error.description)
      Foundation.exit(error.exitStatus)
    } catch {
      exit(withError: error)
    }
  }
}
