import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import SQLCatalogue
import Testing
import Views
import Windowing

/// A strip has at most 64 kinds at a time. The kinds change with its items.
struct KindTests {

  @Test(arguments: Store.allCases)
  func `a new kind takes the number of a kind without items`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var items = try (0..<1200).map { try Item(id: "i\($0)", kind: "k\($0 % 64)") }
    try store.put(items)
    let (catalogue, editor) = try store.editable()
    func edit(_ json: String) throws -> Int64 {
      try editor.edit(json)
    }
    let first = try catalogue.snapshot(of: "s", at: nil).revision
    let new = #"{"op":"insert","before":"i9","items":[{"id":"new","kind":"new"}]}"#
    #expect(throws: CatalogueError.self) { try edit("[\(new)]") }
    let gone = (0..<1200).filter { $0 % 64 == 5 && $0 > 5 }
    let names = gone.map { "\"i\($0)\"" }.joined(separator: ",")
    // The last item of a kind can change to a new kind, even if the strip has 64 kinds.
    let second = try edit(
      #"[{"op":"remove","ids":[\#(names)]},{"op":"update","id":"i5","set":{"kind":"other"}}]"#)
    #expect(throws: CatalogueError.self) { try edit("[\(new)]") }
    let third = try edit(#"[{"op":"remove","ids":["i5"]},\#(new)]"#)
    let former = items
    items.removeAll { $0.kind == "k5" && $0.id != "i5" }
    items[5] = try Item(id: "i5", kind: "other")
    let middle = items
    items.remove(at: 5)
    items.insert(try Item(id: "new", kind: "new"), at: 8)
    for catalogue in [catalogue, try store.catalogue()] {
      try check(catalogue.snapshot(of: "s", at: first), is: former, "first")
      try check(catalogue.snapshot(of: "s", at: second), is: middle, "second")
      try check(catalogue.snapshot(of: "s", at: third), is: items, "third")
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an item can have more than 64 kinds one after the other`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put([Item(id: "a", kind: "k0"), Item(id: "b", kind: "k1")])
    let (catalogue, editor) = try store.editable()
    func updates(_ kinds: Range<Int>) -> String {
      kinds.map { #"{"op":"update","id":"a","set":{"kind":"k\#($0)"}}"# }.joined(separator: ",")
    }
    for kind in 2..<70 {
      try editor.edit("[\(updates(kind..<kind + 1))]")
    }
    try editor.edit("[\(updates(70..<200))]")
    let items = try [Item(id: "a", kind: "k199"), Item(id: "b", kind: "k1")]
    try check(catalogue.snapshot(of: "s", at: nil), is: items, "at hand")
    try check(store.catalogue().snapshot(of: "s", at: nil), is: items, "opened again")
    #expect(try catalogue.summaries(after: nil, limit: 1).map(\.kinds) == [["k1", "k199"]])
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `appended items take the numbers of kinds without items`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let former = try (0..<64).map { try Item(id: "i\($0)", kind: "k\($0)") }
    try store.put(former)
    let (catalogue, editor) = try store.editable()
    let first = try catalogue.snapshot(of: "s", at: nil).revision
    try editor.edit(#"[{"op":"remove","ids":["i3","i0","i63"]}]"#)
    let new = try (0..<4).map { try Item(id: "n\($0)", kind: "n\($0)") }
    #expect(throws: CatalogueError.self) { try store.put(new, .append) }
    try store.put(Array(new[..<3]), .append)
    try catalogue.refresh()
    let items = former.filter { !["i3", "i0", "i63"].contains($0.id) } + new[..<3]
    try check(catalogue.snapshot(of: "s", at: nil), is: items, "at hand")
    let fresh = try store.catalogue()
    try check(fresh.snapshot(of: "s", at: nil), is: items, "opened again")
    try check(fresh.snapshot(of: "s", at: first), is: former, "before")
    #expect(try fresh.summaries(after: nil, limit: 1).map(\.kinds) == [items.map(\.kind).sorted()])
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `a strip has at most 64 kinds at a time`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var random = SeededRandom(seed: 64)
    var items = try (0..<90).map { try Item(id: "i\($0)", kind: "k\($0 % 62)") }
    try store.put(items)
    let (catalogue, editor) = try store.editable()
    var rejected = 0
    for turn in 0..<150 {
      var (after, edits) = (items, [String]())
      var fits = true
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let used = Set(after.map(\.kind))
        let kinds = (0..<75).map { "k\($0)" }.filter { !used.contains($0) || $0.hasSuffix("7") }
        let kind = kinds.randomElement(using: &random) ?? "card"
        let place = after.indices.randomElement(using: &random) ?? 0
        let id = after[place].id
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !after.contains { $0.id == "t\(turn)" }:
          edits.append(
            #"{"op":"insert","before":"\#(id)","items":[{"id":"t\#(turn)","kind":"\#(kind)","width":0,"aspect":0}]}"#
          )
          after.insert(
            try Item(id: "t\(turn)", kind: kind, aspect: Aspect(units: 0), width: .zero), at: place)
        case 1 where after.count > 88:
          edits.append(#"{"op":"remove","ids":["\#(id)"]}"#)
          after.remove(at: place)
        default:
          edits.append(#"{"op":"update","id":"\#(id)","set":{"kind":"\#(kind)"}}"#)
          let (aspect, width) = (after[place].aspect, after[place].width)
          after[place] = try Item(id: id, kind: kind, aspect: aspect, width: width)
        }
        fits = fits && Set(after.map(\.kind)).count <= 64
      }
      let edit = {
        try editor.edit("[\(edits.joined(separator: ","))]")
      }
      if fits {
        _ = try edit()
        items = after
      } else {
        #expect(throws: CatalogueError.self) { try edit() }
        rejected += 1
      }
      try check(catalogue.snapshot(of: "s", at: nil), is: items, "turn \(turn)")
    }
    #expect(rejected > 10)
    try check(store.catalogue().snapshot(of: "s", at: nil), is: items, "opened again")
    #expect(try store.faults() == [])
  }
}
