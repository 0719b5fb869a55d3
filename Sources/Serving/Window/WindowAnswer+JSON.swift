import Catalogue
import HTTP
import Windowing

extension WindowAnswer {
  /// The window as JSON, its members in the order of the schema `Window` in `Public/openapi.json`.
  ///
  /// - Returns: nil if the items are not in memory and the mode is `cachedOnly`.
  /// - Complexity: O(items), one read of the source.
  func json(_ mode: ReadMode) throws(Problem) -> [UInt8]? {
    try edition.kindNames.withUnsafeNames { kinds throws(Problem) in
      var json = start(kinds)
      var isFirst = true
      var numbers = ItemNumbers()
      let isRead = try readItems(mode) { geometry, item in
        json.comma(unless: &isFirst)
        json.card(geometry, item, kinds: kinds, &numbers)
        return json.count
      }
      json.literal("]}")
      return isRead ? json.bytes : nil
    }
  }

  /// The window as JSON without its items, for the page, which has the items as HTML.
  func jsonWithoutItems() -> [UInt8] {
    edition.kindNames.withUnsafeNames { kinds in
      var json = start(kinds)
      json.literal("]}")
      return json.bytes
    }
  }

  private func start(_ kinds: KindNames.Unsafe) -> JSONWriter {
    var json = JSONWriter()
    json.start(of: edition, view: edition.view)
    json.write(atMost: 256 + 10 * JSONWriter.Unchecked.numberCount) { json in
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
    json.list(edition.kindsByName.lazy.filter { [pools] in pools[$0.kind] > 0 }) { json, entry in
      json.string(entry.name)
      json.literal(":")
      json.integer(pools[entry.kind])
    }
    json.literal(#"},"group":"#)
    json.group(group)
    json.literal(#","leave":["#)
    json.list(leave) { json, slot in json.slot(slot, kinds: kinds) }
    json.literal(#"],"items":["#)
    return json
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

  /// Writes an item of a window. Reserves memory once for the whole item.
  @inline(__always)
  fileprivate mutating func card(
    _ geometry: WindowItem, _ item: ItemBytes, kinds: KindNames.Unsafe, _ numbers: inout ItemNumbers
  ) {
    let kind = kinds.kindAndSlot(of: Int(geometry.kind.number))
    guard Self.isPlain(item.id) else {
      return card(geometry, item, escaping: item.id, kind, &numbers)
    }
    write(atMost: item.id.count + item.fields.count + kind.count + Self.cardCount) { json in
      json.cardStart(geometry, &numbers)
      json.byte(UInt8(ascii: "\""))
      json.json(item.id)
      json.byte(UInt8(ascii: "\""))
      json.cardEnd(geometry, item, kind, &numbers)
    }
  }

  /// Writes an item whose id needs escaping.
  @inline(never)
  private mutating func card(
    _ geometry: WindowItem, _ item: ItemBytes, escaping id: UnsafeRawBufferPointer,
    _ kind: UnsafeRawBufferPointer, _ numbers: inout ItemNumbers
  ) {
    write(atMost: Self.cardCount) { $0.cardStart(geometry, &numbers) }
    string(id)
    write(atMost: item.fields.count + kind.count + Self.cardCount) {
      $0.cardEnd(geometry, item, kind, &numbers)
    }
  }

  /// The most bytes of an item without its id, its fields and the text of its kind in
  /// ``KindNames``.
  private static var cardCount: Int { 96 + 4 * Unchecked.numberCount }
}

/// The last numbers written. Those of the next item differ little, so they are faster to format.
private struct ItemNumbers {
  var indices = NearbyDecimals()
  var starts = NearbyDecimals()
}

extension JSONWriter.Unchecked {
  /// Writes the part of an item before its id.
  @inline(__always)
  fileprivate mutating func cardStart(_ geometry: WindowItem, _ numbers: inout ItemNumbers) {
    literal(#"{"index":"#)
    integer(geometry.index, &numbers.indices)
    literal(#","id":"#)
  }

  /// Writes the part of an item after its id.
  @inline(__always)
  fileprivate mutating func cardEnd(
    _ geometry: WindowItem, _ item: ItemBytes, _ kind: UnsafeRawBufferPointer,
    _ numbers: inout ItemNumbers
  ) {
    json(kind)
    integer(geometry.slot.number)
    literal(#"","start":"#)
    length(geometry.start, &numbers.starts)
    literal(#","size":"#)
    length(geometry.size)
    literal(#","fields":"#)
    json(item.fields)
    literal("}")
  }
}
