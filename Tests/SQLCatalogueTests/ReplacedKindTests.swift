import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import SQLCatalogue
import Testing
import Views
import Windowing

/// A replacement can change all kinds of a strip if the strip has at most 64 kinds at a time. Its earlier
/// revisions can still be read.
struct ReplacedKindTests {
  /// Expects that a strip has exactly these items at a revision, both in `catalogue` and in a new
  /// catalogue.
  private func check(
    _ store: StoreUnderTest, _ catalogue: any StripCatalogue, at revision: Int64?, is items: [Item],
    _ label: String = ""
  ) throws {
    for catalogue in [catalogue, try store.catalogue()] {
      let snapshot = try catalogue.snapshot(of: "s", at: revision)
      try #require(snapshot.strip.count == items.count, "\(label)")
      #expect(try snapshot.source.items(in: 0..<items.count) == items, "\(label)")
      let kinds = items.indices.map { snapshot.strip.kinds[Int(snapshot.strip[$0].kind.number)] }
      #expect(kinds == items.map(\.kind), "\(label)")
      #expect(StripSummary(snapshot).kinds == Set(items.map(\.kind)).sorted(), "\(label)")
    }
  }

  /// Two items of each kind, far apart. A kind is free only when both items are gone.
  private func items(_ kinds: [Int]) throws -> [Item] {
    try (kinds + kinds).enumerated().map { try Item(id: "i\($0)", kind: "k\($1)") }
  }

  @Test(arguments: Store.allCases)
  func `a kind without items takes no room in a replacement`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put([Item(id: "a", kind: "k0"), Item(id: "b", kind: "same")])
    let (catalogue, editor) = try store.editable()
    for kind in 1..<64 {
      let update = #"[{"op":"update","id":"a","set":{"kind":"k\#(kind)"}}]"#
      try editor.edit(update)
    }
    let first = try catalogue.snapshot(of: "s", at: nil).revision
    let others = try ["zz", "zy"].map {
      try [Item(id: "a", kind: $0), Item(id: "b", kind: "same"), Item(id: "c", kind: "c-\($0)")]
    }
    let revisions = try others.map { try store.put($0, .replace).revision }
    try catalogue.refresh()
    try check(
      store, catalogue, at: first, is: [Item(id: "a", kind: "k63"), Item(id: "b", kind: "same")])
    for (items, revision) in zip(others, revisions) {
      try check(store, catalogue, at: revision, is: items)
    }
    #expect(try store.faults() == [])
  }

  /// Replaces the strip alone, or as one of the strips of a file.
  @Test(arguments: Store.allCases, [false, true])
  func `a replacement can replace all 64 kinds`(_ store: Store, _ isOneOfMany: Bool) throws {
    let store = try StoreUnderTest(store)
    let turns = try [0..<64, 40..<104, 200..<264, 0..<64].map { try items(Array($0)) }
    var revisions = [try store.put(turns[0]).revision]
    let catalogue = try store.catalogue()
    for items in turns.dropFirst() {
      if isOneOfMany { try replace(store, with: items) } else { try store.put(items, .replace) }
      try catalogue.refresh()
      revisions.append(try catalogue.snapshot(of: "s", at: nil).revision)
    }
    for (items, revision) in zip(turns, revisions) {
      try check(store, catalogue, at: revision, is: items, "\(revision)")
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `the 65th kind of a replacement is rejected`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let former = try items(Array(0..<64))
    let first = try store.put(former).revision
    let catalogue = try store.catalogue()
    // The first thirty items keep their kinds.
    let new = try items(Array(0..<30) + Array(130..<163))
    let twice = try Item(id: "i3", kind: "i3")
    let more = try Item(id: "new", kind: "more")
    let last = try Item(id: "last", kind: "k163")
    let same = try Item(id: "same", kind: "k163")
    // The kind of an item that is rejected for its id does not count.
    try replace(store, with: new + [last], rejecting: [twice])
    try catalogue.refresh()
    try check(store, catalogue, at: nil, is: new + [last])
    try replace(store, with: new + [last, same], rejecting: [more])
    try catalogue.refresh()
    try check(store, catalogue, at: first, is: former)
    try check(store, catalogue, at: nil, is: new + [last, same])
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an id that changes its kind is rejected the second time`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let items = try items(Array(0..<64))
    try store.put(items)
    for kind in ["k100", "k0", "k1", "other"] {
      #expect(throws: CatalogueError.invalid("id: \"i0\" exists already")) {
        try store.put([Item(id: "i0", kind: "k100"), Item(id: "i0", kind: kind)], .replace)
      }
    }
    try check(store, store.catalogue(), at: nil, is: items)
  }

  @Test(arguments: Store.allCases, 1...3 as ClosedRange<UInt64>)
  func `replacements and edits of random kinds give the items of an array`(
    _ store: Store, _ seed: UInt64
  ) throws {
    let store = try StoreUnderTest(store)
    var random = RandomKinds(seed: seed)
    var items = try random.applied(
      to: (0..<120).map { try Item(id: "i\($0)", kind: "k\($0 % 60)") })
    try store.put(items)
    let (catalogue, editor) = try store.editable()
    var past: [(revision: Int64, items: [Item])] = []
    for turn in 0..<15 {
      past.append((try catalogue.snapshot(of: "s", at: nil).revision, items))
      let label = "seed \(seed), turn \(turn)"
      if turn % 5 == 4 {
        items = try random.applied(to: items, edits: 6) { edit in
          try editor.edit("[\(edit)]")
        }
      } else {
        items = try random.applied(to: items)
        if turn % 2 == 0 { try store.put(items, .replace) } else { try replace(store, with: items) }
        try catalogue.refresh()
      }
      try check(store, catalogue, at: nil, is: items, label)
      try check(store, catalogue, at: past[turn].revision, is: past[turn].items, label)
    }
    for (revision, items) in past {
      try check(store, catalogue, at: revision, is: items, "seed \(seed), \(revision)")
    }
    #expect(try store.faults() == [], "seed \(seed)")
  }

  /// Replaces the strip as one of many.
  ///
  /// - Parameter rejected: items before the last one, which the import rejects.
  private func replace(
    _ store: StoreUnderTest, with items: [Item], rejecting rejected: [Item] = []
  ) throws {
    let (counts, _) = try store.importer().run(
      StripImport(mode: .replace)
    ) { add throws(CatalogueError) in
      for item in items.dropLast() { try add(item, "s") }
      for item in rejected { #expect(throws: CatalogueError.self) { try add(item, "s") } }
      for item in items.suffix(1) { try add(item, "s") }
    }
    #expect(counts.created == 0)
  }
}

/// Random changes to items. The kinds are from 75, and items have at most 64 kinds at a time.
private struct RandomKinds {
  var random: SeededRandom
  private var made = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func kind(besides used: [String]) -> String {
    let used = Set(used)
    let kinds = used.count < 64 ? (0..<75).map { "k\($0)" } : used.sorted()
    return kinds.randomElement(using: &random) ?? "card"
  }

  /// Changes the kind of items, and inserts, removes and moves items.
  mutating func applied(to old: [Item]) throws -> [Item] {
    var items = old
    if Int.random(in: 0..<3, using: &random) == 0 {
      // Each kind becomes another kind, in random order.
      let others = (0..<75).map { "k\($0)" }.shuffled(using: &random)
      items = try items.map { item in
        let number = Int(item.kind.dropFirst()) ?? 0
        return try Item(id: item.id, kind: others[number], fields: item.fields)
      }
    }
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let index = Int.random(in: items.indices, using: &random)
      let item = items[index]
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where items.count > 70: items.remove(at: index)
      case 1:
        items.remove(at: index)
        items.insert(item, at: Int.random(in: 0...items.count, using: &random))
      case 2 where items.count < 150:
        made += 1
        items.insert(try Item(id: "new \(made)", kind: kind(besides: items.map(\.kind))), at: index)
      default:
        items.remove(at: index)
        items.insert(try Item(id: item.id, kind: kind(besides: items.map(\.kind))), at: index)
      }
    }
    return items
  }

  /// Changes only the kinds of items, with one edit for each item.
  mutating func applied(
    to old: [Item], edits count: Int, _ edit: (String) throws -> Void
  ) throws -> [Item] {
    var items = old
    for _ in 0..<count {
      let index = Int.random(in: items.indices, using: &random)
      let id = items.remove(at: index).id
      let kind = kind(besides: items.map(\.kind))
      items.insert(try Item(id: id, kind: kind), at: index)
      try edit(#"{"op":"update","id":"\#(id)","set":{"kind":"\#(kind)"}}"#)
    }
    return items
  }
}
