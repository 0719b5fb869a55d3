import Foundation
import Testing

struct InterruptionTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  /// An import that has taken some items and waits for more.
  private func begin(_ options: String...) throws -> RunningCommand {
    let command = try RunningCommand(
      ["import", "-", "--format", "jsonl", "--database", workspace.database, "--strip", "s"]
        + options)
    for index in 0..<5000 { command.write("{\"id\":\"b\(index)\"}\n") }
    return command
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func leavesNoNewFileBehind(_ signal: Int32) throws {
    let command = try begin()
    command.send(signal)
    let outcome = command.outcome()
    #expect(outcome.wasKilled && outcome.status == signal)
    #expect(try workspace.names == [])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL], ["--append", "--replace"])
  func leavesTheStripAsItWas(_ signal: Int32, _ mode: String) throws {
    let file = try workspace.file("a.jsonl", "{\"id\":\"a\"}\n")
    #expect(try workspace.importing(file).status == 0)
    let before = try workspace.export().output
    let command = try begin(mode)
    command.send(signal)
    #expect(command.outcome().wasKilled)
    #expect(try workspace.export().output == before)
    #expect(try workspace.importing(file, "--replace").status == 0)
  }

  @Test func canBeginAgainAfterItWasKilled() throws {
    let command = try begin()
    command.send(SIGKILL)
    #expect(command.outcome().wasKilled)
    #expect(try !workspace.names.contains("strips.db"))
    let file = try workspace.file("a.jsonl", "{\"id\":\"a\"}\n")
    #expect(try workspace.importing(file).status == 0)
    #expect(try workspace.names == ["a.jsonl", "strips.db"])
  }
}
