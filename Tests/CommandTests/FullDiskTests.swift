import Foundation
import Testing

/// Simulates a full disk with `ulimit -f`, a limit on the size of files.
struct FullDiskTests {
  private let workspace: Workspace
  private let large: String

  init() throws {
    workspace = try Workspace()
    let lines = (0..<20_000).map { "{\"id\":\"b\($0)\"}\n" }.joined()
    large = try workspace.file("b.jsonl", lines)
  }

  private func importing(_ options: String) throws -> Command.Outcome {
    try Shell.run(
      """
      trap '' XFSZ; ulimit -f 400
      exec "$0" import "$1" --database "$2" --strip s \(options)
      """, Command.executable.path, large, workspace.database)
  }

  @Test func `an import that runs out of space leaves no new database`() throws {
    let outcome = try importing("")
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(outcome.errors.contains(workspace.database))
    #expect(try workspace.names == ["b.jsonl"])
  }

  @Test(arguments: ["--append", "--replace"])
  func `an import that runs out of space leaves the strip unchanged`(_ mode: String) throws {
    let small = try workspace.file("a.jsonl", "{\"id\":\"a\"}\n")
    #expect(try workspace.importing(small).status == 0)
    let outcome = try importing(mode)
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(try workspace.export().output == "{\"id\":\"a\",\"kind\":\"card\",\"fields\":{}}\n")
  }
}
