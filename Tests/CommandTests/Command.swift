import Foundation

/// Runs the built command in a new process.
struct Command {
  /// The result of a finished process.
  struct Outcome {
    let status: Int32
    /// Whether a signal ended the process. Then `status` is the number of the signal.
    let wasKilled: Bool
    let output: String
    let errors: String
  }

  /// The executable in the build folder of the tests.
  static var executable: URL {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let tests = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appending(path: "carousel")
  }

  /// Runs the command and waits until it exits.
  ///
  /// - Parameter input: its standard input.
  static func run(_ arguments: [String], input: String = "") throws -> Outcome {
    let command = try RunningCommand(arguments)
    command.write(input)
    command.closeInput()
    return command.outcome()
  }
}

/// A running process.
final class RunningCommand {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  convenience init(_ arguments: [String]) throws {
    try self.init(Command.executable, arguments)
  }

  init(_ executable: URL, _ arguments: [String]) throws {
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }
  func closeInput() { try? input.fileHandleForWriting.close() }
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until the process exits.
  func outcome() -> Command.Outcome {
    let output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Command.Outcome(
      status: process.terminationStatus,
      wasKilled: process.terminationReason == .uncaughtSignal, output: output, errors: errors)
  }
}

/// Runs a command in Bash, for redirections, pipes and resource limits.
enum Shell {
  /// Runs a script. Its arguments are `$0`, `$1` and so on.
  static func run(_ line: String, _ arguments: String...) throws -> Command.Outcome {
    let command = try RunningCommand(URL(fileURLWithPath: "/bin/bash"), ["-c", line] + arguments)
    command.closeInput()
    return command.outcome()
  }
}
