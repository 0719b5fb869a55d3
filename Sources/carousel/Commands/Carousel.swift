import ArgumentParser
import CRelease
import Foundation
import Items

@main
struct Carousel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carousel",
    abstract: "Serve strips, lists, grids and photo walls of any length, one window at a time.",
    discussion: """
      Start with `carousel serve` or `carousel photos ~/Pictures`, and open http://127.0.0.1:8080.

      A running server has the documentation at /docs/. Its page /docs/run.html is for operators.
      """,
    version: Version.description,
    subcommands: [
      ServeCommand.self, ImportCommand.self, ExportCommand.self, WindowCommand.self,
      StripsCommand.self, EditCommand.self, TokenCommand.self, CheckCommand.self,
      BackupCommand.self, HealthCommand.self, PhotosCommand.self,
    ])

  static func main() {
    // A write beyond RLIMIT_FSIZE then fails with EFBIG, and does not kill the process.
    signal(SIGXFSZ, SIG_IGN)
    // Dispatch asks for a priority that only a privileged process gets, and logs that it did not get it.
    setenv("LIBDISPATCH_LOG", "NO", 0)
    let line = EnvironmentOptions.added(to: CommandLine.arguments.dropFirst())
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
    } catch let error as CatalogueError {
      StandardError.write(line: error.description)
      Foundation.exit(error.exitStatus)
    } catch {
      exit(withError: error)
    }
  }
}

/// The program's version. The revisions of the built-in strips depend on it.
enum Version {
  static let current = "0.1.0"

  /// The version, and in parentheses the commit if the build names it.
  static var description: String {
    let commit = String(cString: carousel_commit())
    return commit.isEmpty ? current : "\(current) (\(commit))"
  }
}
