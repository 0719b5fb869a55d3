import Catalogue
import HTTP
import Windowing

extension WindowAnswer {
  /// The window as the contract's JSON, its members in the contract's order.
  ///
  /// - Parameter withItems: whether the items stand in it; the page has them as HTML.
  /// - Throws: what the edition's source throws when its items cannot be read.
  /// - Complexity: O(items), one read of the source.
  func json(withItems: Bool = true) throws(Problem) -> [UInt8] {
    try edition.kindNames.lend { kinds throws(Problem) in
      try json(withItems: withItems, kinds)
    }
  }

  private func json(
    withItems: Bool, _ kinds: KindNames.Lent
  ) throws(Problem) -> [UInt8] {
    var json = JSONWriter()
    json.literal(#"{"strip":"#)
    json.string(edition.name)
    json.write(atMost: 256 + 10 * JSONPen.numberCount) { json in
      json.literal(#","revision":"#)
      json.integer(Int(edition.revision))
      json.literal(#","height":"#)
      json.length(layout.height)
      json.literal(#","offset":"#)
      json.length(offset)
      json.literal(#","width":"#)
      json.length(width)
      json.literal(#","overscan":"#)
      json.length(overscan)
      json.literal(#","pool":"#)
      json.length(stretch)
      json.literal(#","wrap":"#)
      json.bool(layout.wraps)
      json.literal(#","count":"#)
      json.integer(layout.count)
      json.literal(#","extent":"#)
      json.length(layout.extent)
      json.literal(#","first":"#)
      json.integer(window.range.lowerBound)
      json.literal(#","end":"#)
      json.integer(window.range.upperBound)
      json.literal(#","pools":{"#)
    }
    json.list(edition.kindsByName.lazy.filter { pools[$0.kind] > 0 }) { json, entry in
      json.string(entry.name)
      json.literal(":")
      json.integer(pools[entry.kind])
    }
    json.literal(#"},"group":"#)
    json.group(group)
    json.literal(#","leave":["#)
    json.list(leave) { json, slot in json.slot(slot, kinds: kinds) }
    json.literal(#"],"items":["#)
    if withItems {
      var isFirst = true
      try readCards { place, item in
        json.comma(unless: &isFirst)
        json.card(place, item, kinds: kinds)
      }
    }
    json.literal("]}")
    return json.bytes
  }
}

extension JSONWriter {
  /// A group's run, or null.
  mutating func group(_ group: PlacedGroup?) {
    guard let group else {
      literal("null")
      return
    }
    literal(#"{"title":"#)
    string(group.title)
    literal(#","first":"#)
    integer(group.first)
    literal(#","end":"#)
    integer(group.end)
    literal(#","start":"#)
    length(group.start)
    literal("}")
  }

  /// An item of a window, for all of which room is made at once.
  @inline(__always)
  fileprivate mutating func card(_ place: WindowItem, _ item: ItemBytes, kinds: KindNames.Lent) {
    let kind = kinds[Int(place.kind.number)]
    guard Self.isPlain(item.id) else { return card(place, item, escaping: item.id, kind) }
    write(atMost: item.id.count + item.fields.count + 2 * kind.count + Self.cardCount) { pen in
      pen.cardStart(place)
      pen.byte(UInt8(ascii: "\""))
      pen.json(item.id)
      pen.byte(UInt8(ascii: "\""))
      pen.cardEnd(place, item, kind)
    }
  }

  /// The same of one whose id needs escaping.
  @inline(never)
  private mutating func card(
    _ place: WindowItem, _ item: ItemBytes, escaping id: UnsafeRawBufferPointer,
    _ kind: UnsafeRawBufferPointer
  ) {
    write(atMost: Self.cardCount) { $0.cardStart(place) }
    string(id)
    write(atMost: item.fields.count + 2 * kind.count + Self.cardCount) {
      $0.cardEnd(place, item, kind)
    }
  }

  /// More bytes than an item comes to beside its id, its fields and twice its kind's name.
  private static var cardCount: Int { 96 + 4 * JSONPen.numberCount }
}

extension JSONPen {
  /// What comes before an item's id.
  @inline(__always)
  fileprivate mutating func cardStart(_ place: WindowItem) {
    literal(#"{"index":"#)
    integer(place.index)
    literal(#","id":"#)
  }

  /// What comes behind it.
  @inline(__always)
  fileprivate mutating func cardEnd(
    _ place: WindowItem, _ item: ItemBytes, _ kind: UnsafeRawBufferPointer
  ) {
    literal(#","kind":""#)
    json(kind)
    literal(#"","slot":""#)
    slot(place.slot, kind: kind)
    literal(#"","start":"#)
    length(place.start)
    literal(#","size":"#)
    length(place.size)
    literal(#","fields":"#)
    json(item.fields)
    literal("}")
  }
}
