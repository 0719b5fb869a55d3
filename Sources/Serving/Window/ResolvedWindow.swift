import HTTP
import Items
import Views
import Windowing

/// A window of a strip at one revision: a pure function of the query and the snapshot. It is a class,
/// so that passing it copies one reference only.
final class ResolvedWindow {
  let snapshot: Snapshot
  let layout: Layout
  let layoutMode: LayoutMode
  let pools: Pools
  let offset: Length
  /// The length of the viewport along the direction of scrolling.
  let viewport: Length
  let width: Length
  /// The height of the strip, or of the viewport of another layout.
  let height: Length
  let overscan: Length
  /// The height above the first row of a group.
  let heading: Length
  /// The length for which slots are counted, rounded up to a size class.
  let poolLength: Length
  let window: Window
  /// The group of the first item in the viewport.
  let group: PlacedGroup?
  /// The slots of the caller's items that no item of the window uses.
  let leave: [Slot]
  let have: Range<Int>?

  /// The most items of one read of the source.
  private static let readCount = 512

  /// - Parameters:
  ///   - layout: the layout of `query`.
  ///   - pools: the pools for the length of `query`.
  /// - Throws: 404 if the strip has no such index or item. 400 if a position would exceed 2^47 px,
  ///   or if the window would have too many items.
  /// - Complexity: O(log *n* + items).
  init?(
    _ query: WindowQuery, of snapshot: Snapshot, _ layout: Layout, _ pools: Pools,
    poolLength: Length, _ mode: ReadMode
  ) throws(Problem) {
    let viewport = query.layout.viewport(in: snapshot.settings)
    guard let offset = try Self.offset(of: query, viewport, in: layout, snapshot, mode) else {
      return nil
    }
    let end = offset + viewport
    let span = offset - query.overscan..<end + query.overscan
    let window = try layout.mappingErrors(
      layout.window(meeting: span, pools: pools, limit: Limits.items),
      to: query.target?.parameter ?? "offset")

    self.snapshot = snapshot
    self.layout = layout
    self.pools = pools
    self.offset = offset
    layoutMode = query.layout.mode(in: snapshot.settings)
    self.viewport = viewport
    self.width = query.layout.width
    self.height = query.layout.height ?? snapshot.settings.height
    self.overscan = query.overscan
    self.heading = query.layout.heading
    self.poolLength = SizeClasses.roundedUp(poolLength)
    self.window = window
    self.group =
      window.items.first { $0.end > offset && $0.start < end }
      .flatMap { layout.group(at: $0.index) }
    self.have = query.have
    self.leave = query.have.map { layout.slots(leaving: $0, for: window, pools: pools) } ?? []
  }

  private static func offset(
    of query: WindowQuery, _ viewport: Length, in layout: Layout, _ snapshot: Snapshot,
    _ mode: ReadMode
  ) throws(Problem) -> Length? {
    guard let target = query.target else { return query.offset }
    do {
      return try offset(showing: target, of: query, viewport, in: layout, snapshot, mode)
    } catch {
      guard error.status == 404, query.ignoresMissingItem || target.isClamped else { throw error }
      return query.offset
    }
  }

  private static func offset(
    showing target: WindowQuery.Target, of query: WindowQuery, _ viewport: Length,
    in layout: Layout, _ snapshot: Snapshot, _ mode: ReadMode
  ) throws(Problem) -> Length? {
    let index: Int
    switch target.item {
    case .index(let given):
      guard let found = target.isClamped ? layout.index(nearestTo: given) : given else {
        return .zero
      }
      index = found
    case .id(let id):
      guard let base = try snapshot.index(of: id, mode) else { return nil }
      index = try layout.mappingErrors(layout.copy(of: base, nearest: query.offset), to: "item")
    }
    switch target.position {
    case .aligned(let alignment):
      let padding = query.scrollPadding(of: viewport, at: index, in: layout)
      let offset = try layout.mappingErrors(
        layout.offset(
          showing: index, alignment, in: viewport - padding, from: query.offset + padding),
        to: target.parameter)
      return padding == .zero ? offset : max(.zero, offset - padding)
    case .at(let px):
      return try layout.mappingErrors(
        layout.offset(putting: index, at: px, in: viewport), to: target.parameter)
    }
  }

  /// Passes the items that the caller does not have to `body`, in order. Their bytes are valid
  /// during the call only. `body` writes an item and returns the total number of bytes so far.
  ///
  /// - Throws: 400 if the output exceeds `Limits.responseSize`.
  /// - Complexity: O(items). One read of the source for each 512 items, and for each lap of a
  ///   strip that wraps. O(log *n*) for the groups.
  func readItems(
    _ mode: ReadMode, _ body: (WindowItem, Frame?, ItemGroup?, ItemBytes) -> Int
  ) throws(Problem) -> Bool {
    var count = 0
    let items = window.items[...]
    guard let have else { return try read(items, mode, &count, body) }
    guard try read(items.prefix { $0.index < have.lowerBound }, mode, &count, body) else {
      return false
    }
    return try read(items.drop { $0.index < have.upperBound }, mode, &count, body)
  }

  private func read(
    _ items: ArraySlice<WindowItem>, _ mode: ReadMode, _ count: inout Int,
    _ body: (WindowItem, Frame?, ItemGroup?, ItemBytes) -> Int
  ) throws(Problem) -> Bool {
    var rest = items
    let frames = window.frames
    while let first = rest.first {
      let base = layout.lapStart(of: first.index)
      // The limit bounds memory: a store may load all items of a read at once.
      let shown = rest.prefix(Self.readCount).prefix { $0.index < base + layout.count }
      guard let last = shown.last else { break }
      var next = shown.startIndex
      var index = first.index
      var groups = ItemGroups(snapshot.strip, from: first.index - base)
      let isRead = try snapshot.read(first.index - base..<last.index - base + 1, mode) { item in
        // The source also has hidden items, which the window does not contain.
        if next < shown.endIndex, shown[next].index == index {
          if count <= Limits.responseSize {
            count = body(
              shown[next], frames.isEmpty ? nil : frames[next], groups.group(of: index - base),
              item)
          }
          next += 1
        }
        index += 1
      }
      guard isRead else { return false }
      guard count <= Limits.responseSize else {
        throw .parameter(
          layoutMode == .strip ? "width" : "height",
          "makes a window of more than \(Limits.responseSize >> 20) MiB: ask for fewer items")
      }
      rest = rest[shown.endIndex...]
    }
    return true
  }
}

struct ItemGroup {
  let title: String
  /// The index of the item in the group. Hidden items count.
  let index: Int
}

/// Finds the groups of items, in the order of their indices.
private struct ItemGroups {
  private var runs: Strip.GroupRuns
  private var run: GroupRun?

  init(_ strip: Strip, from index: Int) {
    runs = strip.groupRuns(from: index)
    run = runs.next()
  }

  mutating func group(of index: Int) -> ItemGroup? {
    while let run, run.range.upperBound <= index { self.run = runs.next() }
    guard let run, index >= run.range.lowerBound else { return nil }
    return ItemGroup(title: run.title, index: index - run.range.lowerBound)
  }
}

extension ResolvedWindow {
  /// The window as JSON, its members in the order of the schema `Window` in `Public/openapi.json`.
  func json(_ mode: ReadMode) throws(Problem) -> [UInt8]? {
    var json = start()
    var isFirst = true
    let kinds = snapshot.kindMembers
    let isRead = try readItems(mode) { geometry, frame, group, item in
      json.comma(unless: &isFirst)
      json.card(geometry, frame, group, item, kinds[Int(geometry.kind.number)])
      return json.count
    }
    json.literal("]}")
    return isRead ? json.bytes : nil
  }

  /// The window as JSON without its items, which the page has as HTML.
  func jsonWithoutItems() -> [UInt8] {
    var json = start()
    json.literal("]}")
    return json.bytes
  }

  private func start() -> JSONWriter {
    var json = JSONWriter()
    json.start(of: snapshot, view: snapshot.view)
    if layoutMode != .strip { json.member("layout", layoutMode.rawValue) }
    json.member("height", height)
    json.member("offset", offset)
    json.member("width", width)
    json.member("overscan", overscan)
    json.member("pool", poolLength)
    json.member("wrap", layout.wraps)
    json.member("count", layout.count)
    json.member("extent", layout.extent)
    json.member("first", window.range.lowerBound)
    json.member("end", window.range.upperBound)
    json.key("pools")
    json.literal("{")
    json.list(snapshot.kindsByName.lazy.filter { [pools] in pools[$0.kind] > 0 }) { json, entry in
      json.string(entry.name)
      json.literal(":")
      json.integer(pools[entry.kind])
    }
    json.literal("}")
    json.key("group")
    json.group(group)
    json.list("leave", leave) { [kinds = snapshot.strip.kinds] json, slot in
      json.string("\(kinds[Int(slot.kind.number)])-\(slot.number)")
    }
    json.key("items")
    json.literal("[")
    return json
  }
}

extension JSONWriter {
  /// Writes an item of a window.
  ///
  /// - Parameter kind: as in `Snapshot.kindMembers`.
  fileprivate mutating func card(
    _ geometry: WindowItem, _ frame: Frame?, _ group: ItemGroup?, _ item: ItemBytes, _ kind: [UInt8]
  ) {
    literal(#"{"index":"#)
    integer(geometry.index)
    literal(#","id":"#)
    string(item.id)
    json(kind)
    integer(geometry.slot.number)
    literal(#"","start":"#)
    length(geometry.start)
    literal(#","size":"#)
    length(geometry.size)
    if let frame {
      literal(#","x":"#)
      length(frame.x)
      literal(#","width":"#)
      length(frame.width)
    }
    if let group {
      literal(#","group":{"title":"#)
      string(group.title)
      member("index", group.index)
      literal("}")
    }
    literal(#","fields":"#)
    json(item.fields)
    literal("}")
  }
}

extension WindowQuery {
  /// How much of the viewport the sticky heading of an item's group covers, if the response is an
  /// element: the script shows the item below it.
  fileprivate func scrollPadding(
    of viewport: Length, at index: Int, in layout: Layout
  ) -> Length {
    guard format == .element, layout.stripLayout == nil, self.layout.heading < viewport,
      (0..<layout.count).contains(index), layout.group(at: index) != nil
    else { return .zero }
    return self.layout.heading
  }
}

extension WindowQuery.Target {
  fileprivate var parameter: String {
    switch item {
    case .index: "index"
    case .id: "item"
    }
  }
}

extension Layout {
  /// The value of `result`, with errors as problems of the parameter `name`.
  ///
  /// - Throws: 404 if there is no such item, and 400 if a position would exceed 2^47 px. Both name
  ///   the parameter. 400 that names `width` if the window would have too many items.
  @inline(__always)
  fileprivate func mappingErrors<Found>(
    _ result: @autoclosure () throws(WindowingError) -> Found, to name: String
  ) throws(Problem) -> Found {
    do {
      return try result()
    } catch {
      switch error {
      case .noItem(let index):
        throw .notFound(
          "The strip has no index \(index): it has \(count) items.", parameter: name)
      case .outOfRange:
        throw .parameter(name, "leads farther than 2^47 px")
      case .tooManyItems(let count):
        throw .parameter(
          stripLayout == nil ? "height" : "width",
          "makes a window of \(count) items; the most is \(Limits.items)")
      }
    }
  }

  /// The index of the item that is nearest to `index`. Nil for a strip without items.
  fileprivate func index(nearestTo index: Int) -> Int? {
    if wraps { return index }
    return count == 0 ? nil : min(max(index, 0), count - 1)
  }

  /// The index of the first item in the lap of `index`.
  fileprivate func lapStart(of index: Int) -> Int {
    guard wraps else { return 0 }
    let item = index % count
    return index - (item < 0 ? item + count : item)
  }
}
