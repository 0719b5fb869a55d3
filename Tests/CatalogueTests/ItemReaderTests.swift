import Catalogue
import Items
import Testing
import Views
import Windowing

struct CSVItemReaderTests {
  private func items(
    _ text: String, _ map: [String], aspectRange: ClosedRange<Double>? = nil, sort: String? = nil
  ) throws -> [ParsedItem] {
    var reader = try CSVItemReader(
      ByteStream(Array(text.utf8)), mapping: ImportMapping(map),
      options: ReadingOptions(aspectRange: aspectRange, sort: sort))
    var items: [ParsedItem] = []
    while let item = try reader.next() { items.append(item) }
    return items
  }

  @Test func `members and fields come from their columns`() throws {
    let table = "no,name,art,h,w,year,extra\n7,Blue,on paper,2,3,1971,x\n"
    let item = try #require(
      try items(table, ["id=no", "title=name", "kind=art", "aspect=w/h", "group=year", "width=h"])
        .first)
    #expect(
      String(decoding: item.item.json, as: UTF8.self)
        == #"{"id":"7","kind":"on-paper","aspect":1.5,"width":2,"group":"1971","fields":{"title":"Blue"}}"#
    )
  }

  @Test func `all columns that are not mapped become fields on request`() throws {
    let item = try #require(
      try items("id,a,b,w,h\n1,x,,2,3\n", ["fields=*", "title=a", "aspect=w/h"]).first)
    #expect(String(decoding: item.item.fields.json, as: UTF8.self) == #"{"title":"x"}"#)
    let all = try #require(try items("id,a,b\n1,x,y\n", ["fields=*"]).first)
    #expect(String(decoding: all.item.fields.json, as: UTF8.self) == #"{"a":"x","b":"y"}"#)
  }

  @Test func `a column names the strip of each item`() throws {
    let table = "id,by,a\n1,Blue Note,x\n2,  Blue-NOTE!,y\n3,1794,z\n4,\"Ä, ö (B)\",z\n"
    var reader = try CSVItemReader(
      ByteStream(Array(table.utf8)), mapping: ImportMapping(["fields=*"]),
      options: ReadingOptions(strip: "by"))
    var read: [ParsedItem] = []
    while let next = try reader.next() { read.append(next) }
    #expect(read.map(\.strip) == ["blue-note", "blue-note", "1794", "b"])
    #expect(read.first?.item.fields["by"] == nil, "the column of the strip is not a field")
  }

  @Test(arguments: ["id,by\n1,\n", "id,by\n1,...\n", "id,else\n1,a\n"])
  func `an item without a strip is rejected`(_ table: String) {
    #expect(throws: CatalogueError.self) {
      var reader = try CSVItemReader(
        ByteStream(Array(table.utf8)), mapping: ImportMapping([]),
        options: ReadingOptions(strip: "by"))
      _ = try reader.next()
    }
  }

  @Test func `a cell can span chunks`() throws {
    let cell = String(repeating: "ab,\"\"\n", count: 7)
    var parts = Array("id,t\n1,\"\(cell)\"\n2,plain text\n".utf8).map { [$0] }[...]
    var reader = try CSVItemReader(
      ByteStream { parts.popFirst() ?? [] }, mapping: ImportMapping(["t=t"]))
    let meant = cell.replacing("\"\"", with: "\"")
    #expect(try reader.next()?.item.fields["t"] == .string(meant))
    #expect(try reader.next()?.item.fields["t"] == .string("plain text"))
    #expect(reader.line == 10)
  }

  @Test func `empty cells and impossible quotients are absent`() throws {
    let table = "id,w,h\na,,2\nb,1,0\nc,x,2\nd,0,0\ne,0,3\n"
    let aspects = try items(table, ["aspect=w/h"]).map(\.item.aspect)
    #expect(aspects == [nil, nil, nil, nil, Aspect(units: 0)])
  }

  @Test func `aspects are clamped to a range`() throws {
    let read = try items("id,a\na,0.1\nb,1\nc,600\nd,\n", ["aspect=a"], aspectRange: 0.25...4)
    #expect(read.map(\.item.aspect?.units) == [16384, 65536, 262_144, nil])
    #expect(read.map(\.wasClamped) == [true, false, true, false])
  }

  @Test func `an extreme aspect names the option that clamps it`() throws {
    let error = #expect(throws: CatalogueError.self) {
      try items("id,w,h\na,7500,2\n", ["aspect=w/h"])
    }
    #expect(error?.description.contains("aspect: 3750 is above 1000; --aspect-range") == true)
  }

  @Test func `a column name can contain a slash`() throws {
    #expect(try items("id,w/h\na,2\n", ["aspect=w/h"]).first?.item.aspect?.units == 131_072)
  }

  @Test(arguments: [
    (["title=nope"], "\"nope\""), (["aspect=w/nope"], "\"nope\""), (["group=w/h"], "group: "),
    (["title"], "MEMBER=COLUMN"), (["title=w", "title=h"], "mapped twice"),
    (["fields=w"], "fields=*"),
  ])
  func `a wrong mapping is rejected and named`(_ map: [String], _ named: String) {
    let error = #expect(throws: CatalogueError.self) { try items("id,w,h\n1,2,3\n", map) }
    #expect(error?.description.contains(named) == true)
  }

  @Test(arguments: [
    ("id,w\n1,2,3\n", "has 3 cells"), ("id,w\n1,-2\n", "width: -2 "),
    ("id,w\n1,wide\n", "width: \"wide\""), ("id,w\n,2\n", "id: "), ("id,w\n1,1e9\n", "width: "),
    ("", "header"),
  ])
  func `an error names the wrong member or cells`(_ table: String, _ named: String) {
    let error = #expect(throws: CatalogueError.self) { try items(table, ["width=w"]) }
    #expect(error?.description.contains(named) == true)
  }

  @Test func `numbers sort before text, and text before empty cells`() throws {
    let read = try items("id,y\na,\nb,x\nc,10\nd,9\ne,W\nf,-1e1\n", [], sort: "y")
    let order = read.enumerated().sorted {
      ($0.element.sortValue, $0.offset) < ($1.element.sortValue, $1.offset)
    }
    #expect(order.map(\.element.item.id) == ["f", "d", "c", "e", "b", "a"])
  }
}

struct JSONLinesItemReaderTests {
  @Test func `each line is an item, and blank lines are skipped`() throws {
    var reader = try JSONLinesItemReader(
      ByteStream(Array("\u{FEFF}{\"id\":\"a\"}\r\n\n  \n{\"id\":\"b\"}".utf8)))
    #expect(try reader.next()?.item.id == "a")
    #expect(reader.line == 1)
    #expect(try reader.next()?.item.id == "b")
    #expect(reader.line == 4)
    #expect(try reader.next() == nil)
  }

  @Test func `a line that begins like a byte order mark keeps its first bytes`() throws {
    var reader = try JSONLinesItemReader(ByteStream(Array("\u{FEFE}{\"id\":\"a\"}\n".utf8)))
    let error = #expect(throws: CatalogueError.self) { try reader.next() }
    #expect(error == .invalid("it is not a JSON object"))
  }

  @Test func `reading continues after a line that is not an item`() throws {
    var reader = try JSONLinesItemReader(ByteStream(Array("{\"id\":\"a\"\n{\"id\":\"b\"}\n".utf8)))
    #expect(throws: CatalogueError.self) { try reader.next() }
    #expect(reader.line == 1)
    #expect(try reader.next()?.item.id == "b")
  }

  @Test func `a member or a field is the sort key`() throws {
    let lines = Array(#"{"id":"a","width":2,"fields":{"year":1971}}"#.utf8)
    for (name, key) in [
      ("id", SortValue.text([97])), ("width", .number(2)), ("year", .number(1971)),
      ("group", .empty),
    ] {
      var reader = try JSONLinesItemReader(ByteStream(lines), options: ReadingOptions(sort: name))
      #expect(try reader.next()?.sortValue == key)
    }
  }
}
