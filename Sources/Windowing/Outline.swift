/// A strip made of runs that can be hidden, resized and recounted by name.
///
///     var outline = Outline {
///       Group("1971") { Items(20, kind: "album", width: 180, id: "albums") }
///     }
///     outline.hide("albums")
///     let layout = Layout(outline.strip, height: .px(180))
///
/// After ZHTableViewGroup's modules. Each change is an edit of the strip, so that snapshots and
/// pools live on; a name that is not there is an answer (false, or nil), not a crash.
public struct Outline: Sendable {
  /// The strip as it is now.
  public private(set) var strip: Strip

  private var entries: [OutlineBuilder.Entry]

  /// Describes a strip; see ``Strip/init(_:)``.
  ///
  /// - Complexity: O(runs x log runs), whatever they count.
  public init(@OutlineBuilder _ content: () -> [OutlineBuilder.Entry]) {
    entries = content()
    strip = Strip()
    for entry in entries { put(entry, at: strip.count) }
  }

  /// The indices of the items of a run; nil when there is no such run. O(runs).
  public func range(of id: String) -> Range<Int>? {
    place(of: id).map { $0.start..<$0.start + entries[$0.entry].items.count }
  }

  /// The run that the item at `index` belongs to; nil outside the strip. O(runs).
  public func run(at index: Int) -> Items? {
    var start = 0
    for entry in entries {
      if index >= start, index < start + entry.items.count { return entry.items }
      start += entry.items.count
    }
    return nil
  }

  /// Hides the items of a run: they keep their indices and take no room.
  ///
  /// - Returns: Whether there is such a run.
  /// - Complexity: O(runs + log *n*).
  @discardableResult
  public mutating func hide(_ id: String) -> Bool { change(id) { $0.isHidden = true } }

  /// Shows the items of a run again.
  ///
  /// - Returns: Whether there is such a run.
  /// - Complexity: O(runs + log *n*).
  @discardableResult
  public mutating func show(_ id: String) -> Bool { change(id) { $0.isHidden = false } }

  /// Gives the items of a run another size.
  ///
  /// - Returns: Whether there is such a run.
  /// - Complexity: O(runs + log *n*).
  @discardableResult
  public mutating func resize(_ id: String, to size: ItemSize) -> Bool {
    change(id) { $0.size = size }
  }

  /// Gives a run more or fewer items.
  ///
  /// - Precondition: `count` is 0 or more.
  /// - Returns: Whether there is such a run.
  /// - Complexity: O(runs + log *n*).
  @discardableResult
  public mutating func recount(_ id: String, to count: Int) -> Bool {
    precondition(count >= 0, "A run has no fewer than 0 items.")
    return change(id) { $0.count = count }
  }

  private mutating func change(_ id: String, _ change: (inout Items) -> Void) -> Bool {
    guard let (entry, start) = place(of: id) else { return false }
    strip.remove(start..<start + entries[entry].items.count)
    change(&entries[entry].items)
    put(entries[entry], at: start)
    return true
  }

  private func place(of id: String) -> (entry: Int, start: Int)? {
    var start = 0
    for (place, entry) in entries.enumerated() {
      if entry.items.id == id { return (place, start) }
      start += entry.items.count
    }
    return nil
  }

  private mutating func put(_ entry: OutlineBuilder.Entry, at index: Int) {
    let items = entry.items
    let kind = strip.kind(named: items.kind)
    let item = StripItem(size: items.isHidden ? .hidden : items.size, kind: kind)
    var run = Strip(kinds: strip.kinds, repeating: CollectionOfOne(item), count: items.count)
    run.setGroup(entry.group, for: 0..<items.count)
    strip.insert(contentsOf: run, at: index)
  }
}
