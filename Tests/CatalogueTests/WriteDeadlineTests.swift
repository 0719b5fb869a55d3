import Catalogue
import Dispatch
import GRDB
import Testing
import Windowing

@testable import ItemsInSQLite

/// How long a change of a SQLite file waits for another program that writes it.
struct WriteDeadlineTests {
  private let folder: ScratchFolder
  private let other: DatabaseQueue
  private let editor: SQLiteEditor

  init() throws {
    folder = try ScratchFolder()
    let path = folder.path("strips.db")
    try SQLiteImporter(path: path).run(StripImport(name: "s")) { add throws(CatalogueError) in
      for number in 0..<9 { try add(Item(id: "i\(number)", width: .px(50))) }
    }
    other = try DatabaseQueue(path: path)
    editor = SQLiteEditor(try SQLiteCatalogue(path: path), upkeep: .later)
  }

  private func remove(_ id: String, by deadline: WriteDeadline) throws -> Int64 {
    let batch = try EditBatch(Array(#"[{"op":"remove","ids":["\#(id)"]}]"#.utf8), as: .array)
    return try editor.edit("s", batch, expecting: .anything, once: nil, by: deadline)
  }

  /// Does `body` while the other program writes; it has done so when `body` is done, or else after some
  /// seconds, so that who waits for it for longer is let in.
  private func whileAnotherWrites(_ seconds: Int = 4, _ body: () throws -> Void) rethrows {
    let (isWriting, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [other] in
      try? other.writeAtOnce { _ in
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

  @Test func aChangeThatHasWaitedLongEnoughForItsTurnWaitsForNoWriter() throws {
    let over = WriteDeadline(asked: .now - .seconds(WriteDeadline.seconds))
    #expect(over.millisecondsLeft == 0)
    whileAnotherWrites {
      for _ in 0..<2 {
        let error = #expect(throws: CatalogueError.self) { try remove("i1", by: over) }
        guard case .busy = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }
    // Where nobody writes it is made all the same, and so is the next one.
    let revision = try remove("i1", by: over)
    #expect(try remove("i2", by: WriteDeadline()) == revision + 1)
  }

  @Test func aChangeWaitsForAWriterWhileThereIsTime() throws {
    let over = WriteDeadline(asked: .now - .seconds(WriteDeadline.seconds))
    whileAnotherWrites(1) {
      #expect(throws: CatalogueError.self) { try remove("i1", by: over) }
      #expect(throws: Never.self) { try remove("i2", by: WriteDeadline()) }
    }
  }
}
