import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

@Suite(.serialized)
struct SQLSessionTests {
  @Test(arguments: Store.allCases)
  func `a statement gets values by number and gives typed rows`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    let key: [UInt8] = [0, 0xFF, 1]
    try database.write(by: WriteDeadline()) { session in
      let changed = try session.run(
        "INSERT INTO idempotency_key (key, strip, body, revision, created) VALUES ($2, $1, $3, $5, $4)",
        [.text("é"), .bytes(key), .bytes([]), .integer(4), .integer(Int64.min)])
      #expect(changed == 1)
      try session.run(
        "INSERT INTO token (digest, strip, allows, created, expires) VALUES ($1, $2, 'reads', $3, $4)",
        [.bytes([UInt8](repeating: 7, count: 32)), .utf8(Array("s".utf8)), .boolean(true), .null])
    }
    try database.read { session in
      let row = try session.first(
        "SELECT strip, key, body, revision, created FROM idempotency_key WHERE strip = $1",
        [.text("é")]
      ) { row in
        #expect(throws: CatalogueError.self) { try row.integer(0) }
        #expect(throws: CatalogueError.self) { try row.integer(1) }
        #expect(throws: CatalogueError.self) { try row.text(3) }
        #expect(try row.text(0) == "é")
        #expect(try row.bytes(1) == key)
        #expect(try row.bytes(2) == [])
        return (try row.integer(3), try row.integer(4))
      }
      #expect(try #require(row) == (Int64.min, 4))
      try session.run("SELECT expires, strip, created FROM token", []) { row throws in
        #expect(row.isNull(0))
        #expect(throws: CatalogueError.self) { try row.integer(0) }
        #expect(try row.optionalInteger(0) == nil)
        #expect(try row.text(1) == "s")
        #expect(try row.boolean(2))
      }
      #expect(try session.first("SELECT number FROM strip") { try $0.integer(0) } == nil)
    }
  }

  @Test(arguments: Store.allCases)
  func `a parameter can be null first and a number later`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    try database.read { session in
      for value in [nil, 5, nil, Int64.max] as [Int64?] {
        let found = try session.first(
          "SELECT CAST($1 AS bigint)", [.optional(value)]
        ) { try $0.optionalInteger(0) }
        #expect(found == .some(value))
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `a statement runs within the rows of the same statement`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    try database.write(by: WriteDeadline()) { session in
      for number in 1...3 { try session.insertStrip(Int64(number), name: "s\(number)") }
    }
    try database.read { session in
      let sql = "SELECT number FROM strip WHERE number >= $1 ORDER BY number"
      var found: [[Int64]] = []
      try session.run(sql, [.integer(1)]) { row in
        let number = try row.integer(0)
        let inner = try session.map(sql, [.integer(number)]) { try $0.integer(0) }
        found.append(inner)
      }
      #expect(found == [[1, 2, 3], [2, 3], [3]])
    }
  }

  @Test(arguments: Store.allCases)
  func `a statement runs for each set of values, in order`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    // More bytes than the buffers of a socket hold, in both directions.
    let text = String(repeating: "x", count: 1000)
    let count = 5000
    try database.write(by: WriteDeadline()) { session in
      let changed = try session.run(
        """
        INSERT INTO idempotency_key (strip, key, body, revision, created)
        VALUES ($1, $2, $3, $4, 0)
        """,
        forEach: (0..<count).map { number in
          [
            .text("\(number)"), .bytes([]), .bytes(Array(text.utf8)),
            number.isMultiple(of: 2) ? .integer(number) : .integer(-1),
          ]
        })
      #expect(changed == count)
      var indices: [Int] = []
      try session.run(
        "SELECT body, revision, CAST($2 AS bigint) FROM idempotency_key WHERE strip = $1",
        forEach: (0..<count).map { [.text("\($0)"), $0 == 0 ? .null : .integer($0)] }
      ) { index, row in
        indices.append(index)
        try #require(try row.bytes(0).count == 1000)
        try #require(try row.optionalInteger(2) == (index == 0 ? nil : Int64(index)))
      }
      #expect(indices == Array(0..<count))
      #expect(try session.run("DELETE FROM idempotency_key WHERE strip = $1", forEach: []) == 0)
    }
  }

  @Test(arguments: Store.allCases)
  func `a selection gives the rows of each set in its own order`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    try database.write(by: WriteDeadline()) { session in
      try session.run(
        "INSERT INTO removed_strip (name, revision) VALUES ($1, $2)",
        forEach: (0..<20).map { [.text("n\($0)"), .integer($0)] })
      var found: [[Int64]] = []
      try session.run(
        """
        SELECT 0 AS revision, 0 UNION ALL
        SELECT revision, 1 FROM removed_strip WHERE revision > $2 AND name <> $1
        ORDER BY revision DESC LIMIT $3
        """,
        forEach: [
          [.text("n19"), .integer(15), .integer(9)], [.text("é"), .integer(99), .integer(9)],
          [.text("n"), .integer(2), .integer(2)],
        ]
      ) { index, row in found.append([Int64(index), try row.integer(0), try row.integer(1)]) }
      #expect(
        found == [
          [0, 18, 1], [0, 17, 1], [0, 16, 1], [0, 0, 0], [1, 0, 0], [2, 19, 1], [2, 18, 1],
        ])
    }
  }

  @Test(arguments: Store.allCases)
  func `a failed statement in many leaves the session usable after the transaction`(
    _ kind: Store
  ) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    #expect(throws: CatalogueError.self) {
      try database.write(by: WriteDeadline()) { session in
        try session.run(
          "INSERT INTO removed_strip (name, revision) VALUES ($1, 1)",
          forEach: [[.text("a")], [.text("a")], [.text("b")]])
      }
    }
    struct Stop: Error {}
    #expect(throws: CatalogueError.self) {
      try database.write(by: WriteDeadline()) { session in
        try session.run("SELECT CAST($1 AS bigint)", forEach: (0..<9).map { [.integer($0)] }) {
          index, _ in
          if index == 3 { throw Stop() }
        }
      }
    }
    let count = try database.read { session in
      try session.first("SELECT count(*) FROM removed_strip") { try $0.integer(0) }
    }
    #expect(count == 0)
  }

  @Test(arguments: Store.allCases)
  func `a transaction that throws writes nothing`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    #expect(throws: CatalogueError.conflict("no")) {
      try database.write(by: WriteDeadline()) { session in
        try session.insertStrip(1, name: "s")
        throw CatalogueError.conflict("no")
      }
    }
    try database.maintain { session in try session.insertStrip(2, name: "t") }
    #expect(throws: CatalogueError.conflict("no")) {
      try database.maintain { session in
        try session.insertStrip(3, name: "u")
        throw CatalogueError.conflict("no")
      }
    }
    let numbers = try database.readStatement { session in
      try session.map("SELECT number FROM strip") { try $0.integer(0) }
    }
    #expect(numbers == [2])
  }

  @Test(arguments: Store.allCases)
  func `numbers are never given twice`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    var numbers: [Int64] = []
    for _ in 0..<3 {
      numbers += try database.write(by: WriteDeadline()) { session in
        [try session.nextNumber(), try session.nextNumber()]
      }
    }
    #expect(Set(numbers).count == 6)
    #expect(numbers == numbers.sorted())
    #expect(numbers[0] > 0)
  }

  @Test(arguments: Store.allCases)
  func `the staging table is empty each time it is made`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    for _ in 0..<2 {
      try database.write(by: WriteDeadline()) { session in
        for _ in 0..<2 {
          try session.runScript(session.dialect.makeTemporaryTable)
          try session.run(
            "INSERT INTO staged (number, id, item) VALUES ($1, $2, $3)",
            [.integer(1), .text("a"), .bytes([1, 2])])
          let items = try session.map("SELECT item FROM staged WHERE id = $1", [.text("a")]) {
            try $0.bytes(0)
          }
          #expect(items == [[1, 2]])
        }
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `a text with a NUL character matches no row`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    try database.write(by: WriteDeadline()) { session in
      let writer = session.bulkWriter()
      try writer.begin(strip: 1, count: 0)
      _ = try writer.insert(Item(id: "a"), kind: 0, strip: 1, sortKey: 1, firstRevision: 1)
      try writer.flush()
    }
    let found = try database.read { session in
      var found: [Int64] = []
      try session.run(
        "SELECT sort_key FROM item WHERE strip = $1 AND id = $2",
        forEach: [
          [.integer(1), .text("a\0")], [.integer(1), .text("a")], [.integer(1), .utf8([0])],
        ]
      ) { index, row in found.append(Int64(index)) }
      return found
    }
    #expect(found == [1])
  }
}
