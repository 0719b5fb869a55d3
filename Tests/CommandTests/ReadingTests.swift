import Foundation
import Testing

struct ReadingTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test func `strips are listed in the order of their creation`() throws {
    let file = try workspace.file("a.jsonl", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n")
    for name in ["zebra", "ant"] { #expect(try workspace.importing(file, strip: name).status == 0) }
    let outcome = try Command.run(["strips", "--database", workspace.database])
    #expect(outcome.status == 0)
    let rows = outcome.output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(rows.map { $0[0] } == ["zebra", "ant"])
    #expect(rows.map { $0[1] } == ["2", "2"])
  }

  @Test(arguments: [["strips"], ["export", "--strip", "s"]])
  func `commands that read do not create a database`(_ command: [String]) throws {
    let outcome = try Command.run(command + ["--database", workspace.database])
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains(workspace.database))
    #expect(try workspace.names == [])
  }

  @Test func `an error names the strip that does not exist`() throws {
    let file = try workspace.file("a.jsonl", "{\"id\":\"a\"}\n")
    #expect(try workspace.importing(file).status == 0)
    let outcome = try workspace.export("other")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("\"other\""))
  }

  @Test func `an unknown command and a missing option exit with 64`() throws {
    #expect(try Command.run(["juggle"]).status == 64)
    #expect(try Command.run(["export"]).status == 64)
  }

  @Test func `commands leave no temporary file beside the database`() throws {
    let file = try workspace.file("a.jsonl", "{\"id\":\"a\"}\n")
    #expect(try workspace.importing(file).status == 0)
    #expect(try workspace.importing(file, "--replace").status == 0)
    #expect(try workspace.export().status == 0)
    #expect(try workspace.names == ["a.jsonl", "strips.db"])
  }

  @Test func `export ends without an error when its pipe is closed`() throws {
    let lines = (0..<20_000).map { "{\"id\":\"\($0)\"}\n" }.joined()
    #expect(try workspace.importing(workspace.file("a.jsonl", lines)).status == 0)
    let outcome = try Shell.run(
      "\"$0\" export --database \"$1\" --strip s | head -n 1; echo \"${PIPESTATUS[0]}\"",
      Command.executable.path, workspace.database)
    #expect(outcome.output == "{\"id\":\"0\",\"kind\":\"card\",\"fields\":{}}\n0\n")
    #expect(outcome.errors == "")
  }

  @Test func `export reports that standard output cannot be written`() throws {
    let file = try workspace.file("a.jsonl", "{\"id\":\"a\"}\n")
    #expect(try workspace.importing(file).status == 0)
    let outcome = try Shell.run(
      "\"$0\" export --database \"$1\" --strip s >&-", Command.executable.path, workspace.database)
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("standard output"))
  }
}
