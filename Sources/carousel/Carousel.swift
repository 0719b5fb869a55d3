internal import ArgumentParser

/// The command: every subcommand is a file beside this one.
@main
struct Carousel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carousel",
    abstract: "Serve horizontal strips of items, however long, a window at a time.",
    version: Version.current,
    subcommands: [ServeCommand.self, WindowCommand.self, HealthCommand.self])

  /// Runs the subcommand, and ends with the contract's exit status.
  static func main() {
    do {
      var command = try parseAsRoot(Environment.completed(CommandLine.arguments.dropFirst()))
      try command.run()
    } catch let failure as Failure {
      failure.exit()
    } catch {
      exit(withError: error)
    }
  }
}

/// The program's version: it is part of what a built-in strip's revision follows from.
enum Version {
  static let current = "0.1.0"
}
