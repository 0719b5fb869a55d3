package import Windowing

/// The heights of the items without an aspect in a list, by kind: the setting `itemHeights`.
///
///     {"banner": 120.5, "spacer": 24}
package struct ItemHeights: Hashable, Sendable {
  /// Nil for no heights. In a JSON Merge Patch, a nil height removes the height of a kind.
  private var heights: [String: Length?]?

  private static let range = Length.zero...Length.px(100_000)

  package init() {}

  /// Reads heights, or a JSON Merge Patch of them.
  init(_ scanner: inout JSONScanner, of name: String) throws(CatalogueError) {
    var heights: [String: Length?] = [:]
    try scanner.members(of: name) { scanner, kind throws(CatalogueError) in
      guard KindName.isValid(kind) else {
        throw .invalid("\(name): \(kind.quoted) is not the name of a kind")
      }
      heights[kind] = .some(
        try scanner.null() ? nil : try scanner.length(of: "\(name).\(kind)", in: Self.range))
    }
    self.heights = heights
  }

  /// The heights after a JSON Merge Patch (RFC 7396). A patch without content resets them.
  func merged(with patch: ItemHeights) -> ItemHeights {
    guard let changes = patch.heights else { return ItemHeights() }
    let merged = (heights ?? [:]).merging(changes) { $1 }.filter { $0.value != nil }
    var result = ItemHeights()
    if !merged.isEmpty { result.heights = merged }
    return result
  }

  /// - Throws: `.invalid`, with a sentence that begins with `name`, the setting's name.
  func check(_ name: String) throws(CatalogueError) {
    let count = heights?.count ?? 0
    guard count <= KindName.maximumCount else {
      throw .invalid("\(name): it names \(count) kinds, more than \(KindName.maximumCount)")
    }
  }

  /// An object, ordered by the names. Equal heights have equal bytes.
  package var json: String {
    let members = (heights ?? [:]).compactMap { kind, height in height.map { (kind, $0) } }
    let sorted = members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    return "{\(sorted.map { #""\#($0)":\#($1)"# }.joined(separator: ","))}"
  }

  /// The heights by the number of the kind.
  ///
  /// - Parameter kinds: the names of the kinds, by number.
  package func numbered(_ kinds: [String]) -> [Kind: Length] {
    guard let heights else { return [:] }
    var numbered: [Kind: Length] = [:]
    for (number, kind) in kinds.enumerated() {
      if let height = heights[kind] { numbered[Kind(number: number)] = height }
    }
    return numbered
  }
}
