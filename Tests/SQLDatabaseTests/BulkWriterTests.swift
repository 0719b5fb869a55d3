import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

@Suite(.serialized)
struct BulkWriterTests {
  private func ids(_ database: any SQLDatabase) throws -> [String] {
    try database.read { session in
      try session.map("SELECT id FROM item WHERE strip = $1 ORDER BY sort_key", [.integer(1)]) {
        try $0.text(0)
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `items and chunks are written as they are`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    let fields = try Fields(json: Array(#"{"title":"é"}"#.utf8))
    try database.write(by: WriteDeadline()) { session in
      let writer = session.bulkWriter()
      try writer.begin(strip: 1, count: 0)
      let item = try Item(
        id: "é", aspect: Aspect(units: 65536), width: .px(5), group: "", fields: fields)
      #expect(try writer.insert(item, kind: 3, strip: 1, sortKey: 10, firstRevision: 7))
      #expect(try writer.insert(Item(id: "b"), kind: 0, strip: 1, sortKey: 20, firstRevision: 7))
      let chunk = GeometryChunk.Columns(
        sortKey: 10, count: 1, step: 1, sizes: [UInt8](repeating: 1, count: 8), groups: nil,
        sortKeys: [UInt8](repeating: 2, count: 8))
      try writer.insert(chunk, generation: 4)
      try writer.flush()
      try session.run(
        """
        SELECT id, kind, aspect, width, "group", fields, first_revision FROM item
        WHERE strip = 1 ORDER BY sort_key
        """, []
      ) { row in
        guard try row.text(0) == "é" else {
          #expect(row.isNull(2) && row.isNull(3) && row.isNull(4))
          return
        }
        #expect(try row.integer(1) == 3)
        #expect(try row.integer(2) == 65536)
        #expect(try row.integer(3) == 320)
        #expect(try row.text(4) == "")
        #expect(try row.bytes(5) == fields.json)
        #expect(try row.integer(6) == 7)
      }
      try session.run("SELECT sort_key, count, sizes, groups, sort_keys FROM layout", []) {
        row throws in
        #expect(try row.integer(0) == 10)
        #expect(try row.bytes(2).count == 8)
        #expect(try row.optionalBytes(3) == nil)
        #expect(try row.optionalBytes(4)?.first == 2)
      }
    }
    #expect(try ids(database) == ["é", "b"])
  }

  @Test(arguments: Store.allCases)
  func `an id that the strip has is rejected when it comes`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    try database.write(by: WriteDeadline()) { session in
      let writer = session.bulkWriter()
      try writer.begin(strip: 1, count: 0)
      for number in 1...3 {
        let item = try Item(id: "i\(number)")
        #expect(
          try writer.insert(item, kind: 0, strip: 1, sortKey: Int64(number), firstRevision: 1))
      }
      #expect(try !writer.insert(Item(id: "i2"), kind: 0, strip: 1, sortKey: 4, firstRevision: 1))
      try writer.begin(strip: 2, count: 0)
      #expect(try writer.insert(Item(id: "i2"), kind: 0, strip: 2, sortKey: 4, firstRevision: 1))
      try writer.flush()
    }
    try database.write(by: WriteDeadline()) { session in
      let writer = session.bulkWriter()
      try writer.begin(strip: 1, count: 3)
      #expect(try writer.insert(Item(id: "i4"), kind: 0, strip: 1, sortKey: 5, firstRevision: 1))
      for id in ["i1", "i3", "i4"] {
        #expect(try !writer.insert(Item(id: id), kind: 0, strip: 1, sortKey: 6, firstRevision: 1))
      }
      try writer.flush()
    }
    #expect(try ids(database) == ["i1", "i2", "i3", "i4"])
  }

  @Test(arguments: Store.allCases)
  func `another rule that is broken is an error`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    #expect(throws: CatalogueError.self) {
      try database.write(by: WriteDeadline()) { session in
        let writer = session.bulkWriter()
        try writer.begin(strip: 1, count: 0)
        for id in ["a", "b"] {
          _ = try writer.insert(Item(id: id), kind: 0, strip: 1, sortKey: 1, firstRevision: 1)
        }
        try writer.flush()
      }
    }
    #expect(try ids(database).isEmpty)
  }
}
