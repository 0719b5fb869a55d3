import ArgumentParser
import Catalogue
import Foundation

/// The command: it reads what was typed, and hands it to the one of its commands that was named.
@main
struct Carousel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carousel",
    abstract: "Serves horizontal strips of any length, a window at a time.",
    version: Version.current,
    subcommands: [
      Serve.self, Import.self, Export.self, Window.self, Strips.self, Edit.self, TokenCommand.self,
      Check.self, BackupCommand.self,
      Health.self,
    ])

  /// Runs the command that was named, and ends with the contract's exit status.
  static func main() {
    // A file that may not grow is a write that failed, like one on a full disk; not the end.
    signal(SIGXFSZ, SIG_IGN)
    let line = Environment.completed(CommandLine.arguments.dropFirst())
    var command: any ParsableCommand
    do {
      command = try parseAsRoot(line.arguments)
    } catch let error where exitCode(for: error) == .validationFailure {
      StandardError.write(line: line.explained(fullMessage(for: error)))
      Foundation.exit(ExitCode.validationFailure.rawValue)
    } catch {
      exit(withError: error)
    }
    do {
      try command.run()
    } catch let failure as Failure {
      failure.exit()
    } catch let error as CatalogueError {
      Failure(error).exit()
    } catch {
      exit(withError: error)
    }
  }
}

/// The program's version: it is part of what a built-in strip's revision follows from.
enum Version {
  static let current = "0.1.0"
}
