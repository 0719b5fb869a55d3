import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views

struct CSVReaderTests {
  private func records(_ text: String, chunk: Int = .max) throws -> [[String]] {
    var rest = Array(text.utf8)[...]
    var reader = CSVReader(
      ByteStream {
        defer { rest = rest.dropFirst(chunk) }
        return Array(rest.prefix(chunk))
      })
    var records: [[String]] = []
    while try reader.next() { records.append(try reader.record.texts()) }
    return records
  }

  @Test func `a record ends at any line break, or at the end of the file`() throws {
    #expect(
      try records("a,b\r\n1,2\n3,4\r5,6") == [["a", "b"], ["1", "2"], ["3", "4"], ["5", "6"]])
  }

  @Test func `empty cells are kept, and blank lines and records of empty cells are skipped`() throws
  {
    #expect(
      try records("a,,\n\n\r\n,b,\n\"\",,c\n\"\",,\n\"\"\n,\n") == [
        ["a", "", ""], ["", "b", ""], ["", "", "c"],
      ])
  }

  @Test func `a quoted cell can contain commas, line breaks and quotes`() throws {
    #expect(
      try records("\"a,b\",\"c\r\nd\",\"say \"\"e\"\"\"\nf,g,h") == [
        ["a,b", "c\r\nd", "say \"e\""], ["f", "g", "h"],
      ])
  }

  @Test(arguments: [("", ","), ("", "x"), ("\"", "x,y\n")])
  func `a record has a limit, whatever its bytes are, and the next record follows it`(
    _ quote: String, _ text: String
  ) throws {
    let cell = quote + String(repeating: text, count: 9 << 20) + quote
    var reader = CSVReader(ByteStream(Array("\(cell),\"\nc\"\nok".utf8)))
    let error = #expect(throws: CatalogueError.self) { try reader.next() }
    #expect(error?.description.contains("longer than 8 MiB") == true)
    #expect(reader.record.line == 1)
    #expect(try reader.next())
    #expect(try reader.record.texts() == ["ok"])
  }

  @Test func `a byte order mark is skipped`() throws {
    #expect(try records("\u{FEFF}id\nx") == [["id"], ["x"]])
  }

  @Test(arguments: ["ＩＤ", "\u{F000}", "\u{FFFD}", "\u{FEFE}", "\u{FEBF}"], [1, 2, .max])
  func `a header that begins like a byte order mark keeps its first bytes`(
    _ name: String, _ chunk: Int
  ) throws {
    #expect(try records("\(name),b\nx,y", chunk: chunk) == [[name, "b"], ["x", "y"]])
  }

  @Test func `the size of chunks makes no difference`() throws {
    let text = "\u{FEFF}\"a\"\"\",b\r\n\"c\r\nd\",é\r\n\r\ne,\"\""
    let whole = try records(text)
    for chunk in 1...8 { #expect(try records(text, chunk: chunk) == whole) }
  }

  @Test func `a record knows the line at which it begins`() throws {
    var reader = CSVReader(ByteStream(Array("a\n\"b\nc\"\n\nd\n".utf8)))
    var lines: [Int] = []
    while try reader.next() { lines.append(reader.record.line) }
    #expect(lines == [1, 2, 5])
  }

  @Test(arguments: ["\"a\"b,c\nok\n", "\"a\"b,c\rok\r"])
  func `reading continues after a malformed record`(_ text: String) throws {
    var reader = CSVReader(ByteStream(Array(text.utf8)))
    #expect(throws: CatalogueError.self) { try reader.next() }
    #expect(reader.record.line == 1)
    #expect(try reader.next())
    #expect(try reader.record.texts() == ["ok"])
    #expect(reader.record.line == 2)
    #expect(try !reader.next())
  }

  @Test func `a quote in a cell that does not begin with one is itself`() throws {
    #expect(
      try records("6\" print, \"b\",c\"\"\n\"d\" ,e") == [
        ["6\" print", " \"b\"", "c\"\""], ["d", "e"],
      ])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a record knows its lines whatever ends them`(_ end: String) throws {
    let text = ["id,t", "1,\"a", "b\"", "2,\"c", "3,\"d\"", "4,e", ""].joined(separator: end)
    var reader = CSVReader(ByteStream(Array(text.utf8)))
    #expect(try reader.next())
    #expect(try reader.next())
    #expect([reader.record.line, reader.lastLine] == [2, 3])
    #expect(throws: CatalogueError.self) { try reader.next() }
    #expect([reader.record.line, reader.lastLine] == [4, 5])
    #expect(try reader.next())
    #expect([reader.record.line, reader.lastLine] == [6, 6])
    #expect(try !reader.next())
  }

  @Test func `an unclosed quote is reported at the line of its record`() throws {
    var reader = CSVReader(ByteStream(Array("a\n\"b\nc\nd".utf8)))
    #expect(try reader.next())
    #expect(throws: CatalogueError.self) { try reader.next() }
    #expect([reader.record.line, reader.lastLine] == [2, 4])
    #expect(try !reader.next())
  }

  @Test func `quoted tables are read back`() throws {
    var random = SeededRandom(seed: 11)
    let pieces = ["a", ",", "\"", "\n", "\r\n", "é", " ", "x y"]
    for _ in 0..<500 {
      let table = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        (0..<3).map { _ in
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
          }
          .joined()
        }
      }
      let text = table.map { row in
        row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
      }.joined(separator: "\r\n")
      #expect(try records(text) == table.filter { $0.contains { !$0.isEmpty } }, "\(text)")
    }
  }
}
