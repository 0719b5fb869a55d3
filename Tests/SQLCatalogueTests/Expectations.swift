import Catalogue
import CatalogueTesting
import Dispatch
import Foundation
import Items
import Synchronization
import Testing
import Views
import Windowing

/// Items with the ids `i0`, `i1`, ... of different widths.
func numbered(_ count: Int) throws -> [Item] {
  try (0..<count).map { try Item(id: "i\($0)", width: .px($0 % 50)) }
}

func batch(_ json: String) throws -> EditBatch { try EditBatch(Array(json.utf8), as: .array) }

/// The ids of a strip.
func ids(
  _ catalogue: any StripCatalogue, of name: String = "s", at revision: Int64? = nil
) throws -> [String] {
  let snapshot = try catalogue.snapshot(of: name, at: revision)
  return try snapshot.source.contents(of: 0..<snapshot.strip.count).map(\.id)
}

/// Expects that a snapshot is exactly the strip of these items.
func check(_ snapshot: Snapshot, is items: [Item], _ label: String = "") throws {
  let expected = try Snapshot(
    name: snapshot.name, settings: snapshot.settings, revision: snapshot.revision, items: items)
  try #require(snapshot.strip.count == items.count, "\(label)")
  #expect(try snapshot.source.items(in: 0..<items.count) == items, "\(label)")
  #expect(
    try snapshot.source.contents(of: 0..<items.count)
      == items.map { ItemContent(id: $0.id, fields: $0.fields) }, "\(label)")
  for index in items.indices {
    let (found, wanted) = (snapshot.strip[index], expected.strip[index])
    try #require(found.size == wanted.size, "\(label), item \(index)")
    #expect(snapshot.strip.kinds[Int(found.kind.number)] == items[index].kind, "\(label)")
  }
  #expect(StripSummary(snapshot).kinds == Set(items.map(\.kind)).sorted(), "\(label)")
  #expect(
    Array(snapshot.strip.groupRuns(from: 0)) == Array(expected.strip.groupRuns(from: 0)),
    "\(label)")
  for index in stride(from: 0, to: items.count, by: items.count / 25 + 1) {
    #expect(try snapshot.source.index(of: items[index].id) == index, "\(label)")
  }
}

extension CatalogueError {
  var isConflict: Bool { if case .conflict = self { true } else { false } }
  var isCorrupt: Bool { if case .corrupt = self { true } else { false } }
  var isInvalid: Bool { if case .invalid = self { true } else { false } }
}

/// Checks a condition every 5 ms until it holds, for at most five minutes: threads of low priority wait for all other
/// work of a busy machine.
func eventually(_ condition: () throws -> Bool) throws {
  let end = ContinuousClock.now + .seconds(300)
  let pause = DispatchSemaphore(value: 0)
  while try !condition() {
    try #require(ContinuousClock.now < end, "The condition does not become true.")
    _ = pause.wait(timeout: .now() + .milliseconds(5))
  }
}

/// Runs `body` on a new thread, and waits for its end.
func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
  let failure = Mutex<(any Error)?>(nil)
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    do { try body() } catch { failure.withLock { $0 = error } }
    end.signal()
  }
  end.wait()
  if let failure = failure.withLock({ $0 }) { throw failure }
}
