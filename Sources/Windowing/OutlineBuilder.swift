/// Equal items that lie together in an ``Outline``.
public struct Items: Hashable, Sendable {
  /// What to call the run by when it is changed later.
  public var id: String?
  public var count: Int
  public var kind: String
  public var size: ItemSize
  public var isHidden: Bool

  /// Describes `count` equal items.
  ///
  /// - Parameters:
  ///   - count: How many, 0 or more.
  ///   - kind: The name of the card they are drawn with.
  ///   - width: The fixed part of their width in px, 0 ... 100,000.
  ///   - aspect: The part of their width that grows with the height.
  ///   - id: A name to change the run by.
  public init(
    _ count: Int, kind: String = "card", width: Int = 0, aspect: Aspect = .zero, id: String? = nil
  ) {
    precondition(count >= 0, "A run has no fewer than 0 items.")
    self.id = id
    self.count = count
    self.kind = kind
    size = ItemSize(aspect: aspect, width: .px(width))
    isHidden = false
  }
}

/// Runs of items under one title.
public struct Group: Sendable {
  let runs: [OutlineBuilder.Entry]

  /// Puts the runs of `content` under `title`; groups within keep their own.
  public init(_ title: String, @OutlineBuilder content: () -> [OutlineBuilder.Entry]) {
    runs = content().map { OutlineBuilder.Entry(items: $0.items, group: $0.group ?? title) }
  }
}

/// Collects the runs and groups of a strip, in the order written.
@resultBuilder
public enum OutlineBuilder {
  /// A run and the group it is in.
  public struct Entry: Hashable, Sendable {
    var items: Items
    let group: String?
  }

  public static func buildExpression(_ items: Items) -> [Entry] {
    [Entry(items: items, group: nil)]
  }
  public static func buildExpression(_ group: Group) -> [Entry] { group.runs }
  public static func buildBlock(_ parts: [Entry]...) -> [Entry] { parts.flatMap { $0 } }
  public static func buildArray(_ parts: [[Entry]]) -> [Entry] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [Entry]?) -> [Entry] { part ?? [] }
  public static func buildEither(first part: [Entry]) -> [Entry] { part }
  public static func buildEither(second part: [Entry]) -> [Entry] { part }
}

extension Strip {
  /// Makes a strip of groups of runs:
  ///
  ///     Strip {
  ///       Items(1, kind: "heading", width: 320)
  ///       Group("1971") { Items(20, kind: "album", width: 180) }
  ///     }
  ///
  /// Keep an ``Outline`` instead where runs are changed later.
  ///
  /// - Complexity: O(runs x log runs), whatever they count.
  public init(@OutlineBuilder _ content: () -> [OutlineBuilder.Entry]) {
    self = Outline(content).strip
  }
}
