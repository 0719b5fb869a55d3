import Catalogue
import Testing
import Windowing

/// Layouts that are folded beside edits, where `Scripts/with-postgres` runs a PostgreSQL.
@Suite(.enabled(if: Store.postgresServer != nil))
struct FoldingTests {
  /// Two servers edit and fold at once; whoever loads the strip at any moment has it as it is.
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func leavesWhatWasMade(_ seed: UInt64) throws {
    let store = try StoreUnderTest(.postgres)
    var naive = NaiveItems(
      items: try (0..<4000).map { try Item(id: "i\($0)", width: .px($0 % 50)) })
    try store.put(naive.items)
    let servers = [try store.folding(after: 20), try store.folding(after: 40)]
    var edits = RandomEdits(seed: seed)
    for turn in 0..<40 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 8)
      var after = naive
      guard (try? batch.apply(to: &after)) != nil else { continue }
      naive = after
      _ = try servers[turn % 2].editor.edit("s", batch, expecting: .anything, once: nil)
      guard turn % 8 == 0 else { continue }
      let loaded = try store.catalogue().edition(of: "s", at: nil)
      #expect(
        try loaded.source.items(in: 0..<loaded.strip.count) == naive.items,
        "seed \(seed), turn \(turn)")
    }
    #expect(try store.faults() == [])
  }

  @Test func hasThemFoldedOnceSoManyWait() throws {
    let store = try StoreUnderTest(.postgres)
    try store.put(try (0..<4000).map { try Item(id: "i\($0)", width: .px(9)) })
    let (_, editor) = try store.folding(after: 50)
    let all = (0..<4000).map { "i\($0)" }
    let moved = stride(from: 0, to: 4000, by: 80).map { all[$0] }
    let json = #"[{"op":"move","ids":\#(moved),"after":null}]"#
    let batch = try EditBatch(Array(json.utf8), as: .array)
    _ = try editor.edit("s", batch, expecting: .anything, once: nil)
    let end = ContinuousClock.now + .seconds(60)
    while try store.count(of: "strip WHERE pending = 0 AND folded = revision") == 0 {
      try #require(ContinuousClock.now < end, "Nobody folds them.")
    }
    #expect(try store.faults() == [])
    let loaded = try store.catalogue().edition(of: "s", at: nil)
    let contents = try loaded.source.contents(of: 0..<4000)
    #expect(contents.map(\.id) == moved + all.filter { !moved.contains($0) })
  }
}
