import Foundation
import Testing

struct ImportTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test func `a CSV file becomes a strip`() throws {
    let table = try workspace.file(
      "art.csv",
      "no,name,by,w,h,kind,year\r\n1,\"A \"\"b\"\",\nc\",Ann,3,2,On Paper,1794\r\n2,D,,1,0,,\r\n")
    let outcome = try workspace.importing(
      table, "--map", "id=no", "--map", "title=name", "--map", "subtitle=by", "--map", "aspect=w/h",
      "--map", "kind=kind", "--map", "group=year")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "", "progress is shown only on a terminal")
    #expect(outcome.output.contains("2 items"))
    #expect(outcome.output.contains("2 kinds: card 1, on-paper 1"))
    #expect(outcome.output.contains("1 item without a size"))
    #expect(
      try workspace.export().output == """
        {"id":"1","kind":"on-paper","aspect":1.5,"group":"1794","fields":{"title":"A \\"b\\",\\nc","subtitle":"Ann"}}
        {"id":"2","kind":"card","fields":{"title":"D"}}

        """)
  }

  @Test func `import reads back what export writes`() throws {
    let lines = """
      {"id":"é 1","kind":"a-b","aspect":1.0635,"width":16.015625,"group":"x","fields":{"b":1.50e1,"a":true}}
      {"id":"2","kind":"card","aspect":0,"width":0,"fields":{}}
      {"id":"3","kind":"card","aspect":0.00002,"fields":{"t":"\\u0001\\n\\"\u{1F600}"}}

      """
    let file = try workspace.file("items.jsonl", lines)
    #expect(try workspace.importing(file).status == 0)
    let exported = try workspace.export().output
    #expect(exported == lines)
    let again = try workspace.file("again.jsonl", exported)
    #expect(try workspace.importing(again, strip: "t").status == 0)
    #expect(try workspace.export("t").output == lines)
  }

  @Test func `import reads standard input`() throws {
    let outcome = try Command.run(
      ["import", "-", "--format", "jsonl", "--database", workspace.database, "--strip", "s"],
      input: "{\"id\":\"a\"}\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try workspace.export().output.contains("\"a\""))
  }

  @Test func `a sort puts numbers first, then text, then empty cells, and is stable`() throws {
    let table = try workspace.file("t.csv", "id,y\na,x\nb,\nc,10\nd,9\ne,W\nf,9\ng,\n")
    #expect(try workspace.importing(table, "--sort", "y").status == 0)
    let ids = try workspace.export().output.split(separator: "\n").map {
      $0.split(separator: "\"")[3]
    }
    #expect(ids == ["d", "f", "c", "e", "a", "b", "g"])
  }

  @Test func `aspects are clamped to the given range`() throws {
    let table = try workspace.file("t.csv", "id,a\n1,0.0003\n2,600\n3,1\n")
    let outcome = try workspace.importing(table, "--map", "aspect=a", "--aspect-range", "0.25:4")
    #expect(outcome.output.contains("2 aspects clamped"))
    let exported = try workspace.export().output
    #expect(exported.contains("\"aspect\":0.25,") && exported.contains("\"aspect\":4,"))
  }

  @Test func `a dry run shows the mapping and the items, and writes nothing`() throws {
    let table = try workspace.file("t.csv", "id,w,h\n1,3,2\n2,1,1\n")
    let outcome = try workspace.importing(table, "--map", "aspect=w/h", "--dry-run")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("aspect <- w / h"))
    #expect(outcome.output.contains(#"{"id":"1","kind":"card","aspect":1.5,"fields":{}}"#))
    #expect(outcome.output.contains("2 items"))
    #expect(try workspace.names == ["t.csv"])
  }

  @Test func `a dry run finds a duplicate id`() throws {
    let table = try workspace.file("t.csv", "id\n1\n2\n1\n")
    let outcome = try workspace.importing(table, "--dry-run")
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("\(table):4: "))
  }

  @Test func `an existing strip is appended to or replaced only if the command line says so`()
    throws
  {
    let first = try workspace.file("1.csv", "id\na\nb\n")
    let second = try workspace.file("2.csv", "id\nc\n")
    #expect(try workspace.importing(first).status == 0)
    let rejected = try workspace.importing(second)
    #expect(rejected.status == 65)
    #expect(rejected.errors.contains("\"s\""))
    #expect(try workspace.importing(second, "--append").status == 0)
    #expect(try workspace.export().output.split(separator: "\n").count == 3)
    #expect(try workspace.importing(second, "--replace").status == 0)
    #expect(try workspace.export().output == "{\"id\":\"c\",\"kind\":\"card\",\"fields\":{}}\n")
  }

  @Test(arguments: [
    ("id,w\n1,2\n2,-3\n", 3, "width"), ("id,w\n1,2\n1,3\n", 3, "\"1\""),
    ("id,w,t\n1,2,\"a\nb\"\n2,x,c\n", 4, "width"), ("id,w\n1,2,3\n", 2, "cells"),
    ("id,w\n1,2\n\n\"2,3\n", 4, "quote"), ("no,w\n1,2\n", 1, "\"id\""),
    ("id,v\n1,2\n", 1, "\"w\""), ("", 1, "header"), ("id,w\n,2\n", 2, "id"),
  ])
  func `an error in a CSV file names the file and the line`(
    _ text: String, _ line: Int, _ named: String
  ) throws {
    let table = try workspace.file("t.csv", text)
    let outcome = try workspace.importing(table, "--map", "width=w")
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("\(table):\(line): "), "\(outcome.errors)")
    #expect(outcome.errors.contains(named), "\(outcome.errors)")
    #expect(try workspace.names == ["t.csv"])
  }

  @Test(arguments: [
    ("{\"id\":\"a\"}\n\n{\"id\":}\n", 3, "JSON"),
    ("{\"id\":\"a\",\"kind\":\"A\"}", 1, "kind"),
    ("{\"id\":\"a\",\"aspect\":1001}", 1, "aspect"), ("[]", 1, "object"),
    ("{\"id\":\"a\"}\n{\"id\":\"a\"}", 2, "id"),
  ])
  func `an error in a JSON Lines file names the file and the line`(
    _ text: String, _ line: Int, _ named: String
  ) throws {
    let file = try workspace.file("t.jsonl", text)
    let outcome = try workspace.importing(file)
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("\(file):\(line): "), "\(outcome.errors)")
    #expect(outcome.errors.contains(named), "\(outcome.errors)")
  }

  @Test(arguments: ["w", "id"])
  func `an error names the line of a duplicate id in a sorted import`(_ column: String) throws {
    let table = try workspace.file("t.csv", "id,w\n1,3\n2,2\n1,4\n")
    let outcome = try workspace.importing(table, "--sort", column)
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("\(table):4: "), "\(outcome.errors)")
  }

  @Test func `invalid records are skipped and counted with --on-error skip`() throws {
    let table = try workspace.file(
      "t.csv", "id,w\n1,2\n2,-3\n1,4\n" + (0..<9).map { "\($0 + 10),x\n" }.joined() + "3,5\n")
    let outcome = try workspace.importing(table, "--map", "width=w", "--on-error", "skip")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("11 records skipped"))
    #expect(outcome.output.contains("\(table):3: "))
    #expect(outcome.output.contains("\(table):4: "))
    #expect(try workspace.export().output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ["--map", "title"], ["--map", "a=id", "--map", "a=id"], ["--height", "15"], ["--gap", "-1"],
    ["--inset", "x"], ["--item-width", "100001"], ["--aspect-range", "4:1"],
    ["--aspect-range", "1"],
    ["--append", "--replace"], ["--on-error", "hope"], ["--format", "xml"], ["--no-such-option"],
  ])
  func `a wrong command line exits with 64 and creates no database`(_ options: [String]) throws {
    let table = try workspace.file("t.csv", "id\n1\n")
    let outcome = try Command.run(
      ["import", table, "--database", workspace.database, "--strip", "s"] + options)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(!outcome.errors.isEmpty)
    #expect(try workspace.names == ["t.csv"])
  }

  @Test func `an invalid name and an unknown format exit with 64`() throws {
    let file = try workspace.file("t.txt", "id\n1\n")
    #expect(try workspace.importing(file, "--format", "csv", strip: "Not a name").status == 64)
    let outcome = try workspace.importing(file)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--format"))
  }

  @Test func `an error names the file that cannot be read`() throws {
    let outcome = try workspace.importing(workspace.path("no.csv"))
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("no.csv"))
    #expect(try workspace.names == [])
  }

  @Test func `an error names a file that is not a database, and the file stays unchanged`() throws {
    let table = try workspace.file("t.csv", "id\n1\n")
    let text = try workspace.file("strips.db", "this is a letter, not a database")
    let outcome = try workspace.importing(table)
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains(text))
    #expect(try String(contentsOfFile: text, encoding: .utf8) == "this is a letter, not a database")
  }
}
