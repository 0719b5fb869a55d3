import Catalogue
import CatalogueTesting
import Cryptography
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

/// Changes that a client sends again with the same key.
struct IdempotencyKeyTests {
  /// Removes the first item.
  private static func removal() throws -> (EditBatch, IdempotencyKey) {
    let body = Array(#"[{"op":"remove","ids":["i0"]}]"#.utf8)
    return (
      try EditBatch(body, as: .array),
      try IdempotencyKey(Array("key".utf8), body: Digest(of: body))
    )
  }

  @Test(arguments: Store.allCases)
  func `a change with an idempotency key is made once`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (_, editor) = try store.editable()
    let (batch, key) = try Self.removal()
    let made = try editor.edit(batch, idempotencyKey: key)
    #expect(try editor.edit(batch, expecting: .oneOf([made - 1]), idempotencyKey: key) == made)
    let other = try IdempotencyKey(Array("key".utf8), body: Digest(of: []))
    let error = #expect(throws: CatalogueError.self) {
      try editor.edit(batch, idempotencyKey: other)
    }
    #expect(error?.isConflict == true)
    #expect(throws: CatalogueError.revisionDiffers(made)) {
      try editor.edit(batch, expecting: .oneOf([made - 1]))
    }
    // After a day the key expires, so the edit is applied again. It fails: its item is gone.
    try store.execute("UPDATE idempotency_key SET created = 1")
    let late = #expect(throws: CatalogueError.self) {
      try editor.edit(batch, idempotencyKey: key)
    }
    #expect(late?.description.contains("there is no item") == true)
    try editor.maintain()
    #expect(try store.count(of: "idempotency_key") == 0)
  }

  @Test(arguments: Store.allCases)
  func `an undo is stored with its idempotency key, and one that is too long changes nothing`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (_, editor) = try store.editable()
    let body = Array(#"[{"op":"remove","ids":["i0"]}]"#.utf8)
    func edit(undoLimit: Int?, key: Character = "k") throws -> EditResult {
      try editor.edit(
        "s", EditBatch(body, as: .array), expecting: .anything,
        idempotencyKey: IdempotencyKey([key.asciiValue ?? 0], body: Digest(of: body)),
        undoLimit: undoLimit, by: WriteDeadline())
    }
    let error = #expect(throws: CatalogueError.self) { try edit(undoLimit: 20) }
    #expect(error?.isInvalid == true)
    let made = try edit(undoLimit: 1000)
    #expect(made.undo != nil)
    #expect(try edit(undoLimit: 1000) == made)
    let other = #expect(throws: CatalogueError.self) { try edit(undoLimit: nil) }
    #expect(other?.isConflict == true)
  }

  @Test(arguments: Store.allCases)
  func `an undo that is stored with its idempotency key has a lower limit`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let long = try Fields([("text", .string(String(repeating: "x", count: 7000)))])
    try store.put((0..<20).map { try Item(id: "i\($0)", fields: long) })
    let (_, editor) = try store.editable()
    let ids = (0..<20).map { "\"i\($0)\"" }.joined(separator: ",")
    let body = Array("[{\"op\":\"remove\",\"ids\":[\(ids)]}]".utf8)
    func edit(_ key: IdempotencyKey?) throws -> EditResult {
      try editor.edit(
        "s", EditBatch(body, as: .array), expecting: .anything, idempotencyKey: key,
        undoLimit: 1 << 20, by: WriteDeadline())
    }
    let key = try IdempotencyKey(Array("k".utf8), body: Digest(of: body))
    let error = #expect(throws: CatalogueError.self) { try edit(key) }
    guard case .invalid(let sentence)? = error, sentence.contains("131072") else {
      Issue.record("\(String(describing: error)) does not name the limit")
      return
    }
    #expect(try edit(nil).undo.map { $0.count > 131_072 } == true)
  }

  @Test(arguments: Store.allCases)
  func `settings with an idempotency key are set once, even if they change nothing`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let (_, editor) = try store.editable()
    func set(
      _ strip: String, _ title: String, key: String, _ expected: RevisionPrecondition = .anything
    ) throws -> SettingsResult {
      let body = Array(#"{"title":"\#(title)"}"#.utf8)
      return try editor.set(
        strip, SettingsPatch(json: body), expecting: expected,
        idempotencyKey: IdempotencyKey(Array(key.utf8), body: Digest(of: body)))
    }
    func conflicts(_ strip: String, key: String) {
      let error = #expect(throws: CatalogueError.self) { try set(strip, "other", key: key) }
      #expect(error?.isConflict == true)
    }
    let made = try set("s", "T", key: "one")
    let unchanged = try set("s", "T", key: "two", .oneOf([made.revision]))
    #expect(unchanged == made)
    let later = try set("s", "U", key: "three")
    #expect(later.revision == made.revision + 1)
    #expect(try set("s", "T", key: "one") == made)
    #expect(try set("s", "T", key: "two", .oneOf([made.revision])) == made)
    for key in ["one", "two", "three"] { conflicts("s", key: key) }
    let new = try set("new", "T", key: "one", .absence)
    #expect(new.isNew)
    #expect(try set("new", "T", key: "one", .absence).revision == new.revision)
    conflicts("new", key: "one")
    try store.execute("UPDATE idempotency_key SET created = 1")
    #expect(try set("s", "U", key: "four") == later)
    #expect(try store.count(of: "idempotency_key") == 1)
  }

  @Test(arguments: Store.allCases)
  func `idempotency keys are removed with their strip`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (catalogue, editor) = try store.editable()
    let (batch, key) = try Self.removal()
    let made = try editor.edit(batch, idempotencyKey: key)
    try editor.remove("s", expecting: .anything)
    try store.put(numbered(3))
    #expect(try editor.edit(batch, idempotencyKey: key) > made)
    try catalogue.refresh()
    #expect(try catalogue.snapshot(of: "s", at: nil).strip.count == 2)
  }
}
