import Catalogue
import CatalogueTesting
import Dispatch
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

/// A change waits for another process that writes to the same strip, but only until its deadline.
struct WriteDeadlineTests {
  private func strip(_ store: Store) throws -> StoreUnderTest {
    let store = try StoreUnderTest(store)
    try store.put((0..<9).map { try Item(id: "i\($0)", width: .px(50)) })
    return store
  }

  private func remove(
    _ id: String, _ editor: SQLStripEditor, by deadline: WriteDeadline
  ) throws -> Int64 {
    let batch = try EditBatch(Array(#"[{"op":"remove","ids":["\#(id)"]}]"#.utf8), as: .array)
    return try editor.edit(
      "s", batch, expecting: .anything, idempotencyKey: nil, undoLimit: nil, by: deadline
    ).revision
  }

  /// Runs `body` while another process holds the strip's lock, for some seconds at most.
  private func whileAnotherWrites(
    _ store: StoreUnderTest, seconds: Int = 4, _ body: () throws -> Void
  ) throws {
    let other = try store.database()
    let (isWriting, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? other.write(by: WriteDeadline()) { session in
        try session.run("UPDATE strip SET settings = settings WHERE name = 's'")
        isWriting.signal()
        _ = isOver.wait(timeout: .now() + .seconds(seconds))
      }
      hasEnded.signal()
    }
    isWriting.wait()
    defer {
      isOver.signal()
      hasEnded.wait()
    }
    try body()
  }

  @Test(arguments: Store.allCases)
  func `a change whose deadline is over waits for no other writer`(_ store: Store) throws {
    let store = try strip(store)
    let editor = try store.editor(isServer: true)
    let over = WriteDeadline(asked: .now - .seconds(WriteDeadline.seconds))
    #expect(over.millisecondsLeft == 0)
    try whileAnotherWrites(store) {
      for _ in 0..<2 {
        let error = #expect(throws: CatalogueError.self) { try remove("i1", editor, by: over) }
        guard case .busy = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }
    // Also if no other process writes: the client may have left.
    let revision = try remove("i2", editor, by: WriteDeadline())
    #expect(throws: CatalogueError.self) { try remove("i1", editor, by: over) }
    #expect(try remove("i1", editor, by: WriteDeadline()) == revision + 1)
  }

  @Test(arguments: Store.allCases)
  func `a change waits for a writer until its deadline`(_ store: Store) throws {
    let store = try strip(store)
    let editor = try store.editor(isServer: true)
    let over = WriteDeadline(asked: .now - .seconds(WriteDeadline.seconds))
    try whileAnotherWrites(store, seconds: 1) {
      #expect(throws: CatalogueError.self) { try remove("i1", editor, by: over) }
      #expect(throws: Never.self) { try remove("i2", editor, by: WriteDeadline()) }
    }
  }

  @Test(arguments: Store.allCases)
  func `a change that waits for maintenance of its own process is not made after its deadline`(
    _ store: Store
  ) throws {
    let store = try strip(store)
    let (catalogue, editor) = try store.editable(isServer: true)
    let deadline = WriteDeadline(asked: .now - .seconds(Double(WriteDeadline.seconds) - 0.1))
    let isWriting = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? catalogue.database.maintain { session in
        try session.run("UPDATE strip SET settings = settings WHERE name = 's'")
        isWriting.signal()
        try eventually { deadline.millisecondsLeft == 0 }
      }
      hasEnded.signal()
    }
    isWriting.wait()
    let error = #expect(throws: CatalogueError.self) { try remove("i1", editor, by: deadline) }
    hasEnded.wait()
    guard case .busy? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(throws: Never.self) { try remove("i1", editor, by: WriteDeadline()) }
  }
}
