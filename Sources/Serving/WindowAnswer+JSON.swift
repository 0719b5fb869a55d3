import HTTP
import Items
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
    json.list(edition.kindsByName.filter { pools[$0.kind] > 0 }) { json, entry in
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

  /// An item of a window.
  @inline(never)
  fileprivate mutating func card(_ place: WindowItem, _ item: ItemBytes, kinds: KindNames.Lent) {
    literal(#"{"index":"#)
    integer(place.index)
    literal(#","id":"#)
    string(item.id)
    literal(#","kind":""#)
    kind(place.slot.kind, kinds)
    literal(#"","slot":"#)
    slot(place.slot, kinds: kinds)
    literal(#","start":"#)
    length(place.start)
    literal(#","size":"#)
    length(place.size)
    literal(#","fields":"#)
    json(item.fields)
    literal("}")
  }
}
