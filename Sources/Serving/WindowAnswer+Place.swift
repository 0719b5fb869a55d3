import Catalogue
import HTTP
import Windowing

extension WindowAnswer {
  /// Where the viewport of `query` stands: its offset as given, or as its item asks for.
  static func offset(
    of query: WindowQuery, in layout: Layout, _ edition: Edition
  ) throws(Problem) -> Length {
    guard let target = query.target else { return query.offset }
    let base: Int? =
      if case .id(let id) = target.item { try edition.place(of: id) } else { nil }
    return try layout.asking(blame: target.parameter) { (layout) throws(WindowingError) in
      let index =
        switch target.item {
        case .index(let index): index
        case .id: try layout.copy(of: base ?? 0, nearest: query.offset)
        }
      return switch target.place {
      case .aligned(let alignment):
        try layout.offset(showing: index, alignment, in: query.width, from: query.offset)
      case .at(let px):
        try layout.offset(putting: index, at: px, in: query.width)
      }
    }
  }
}

extension WindowQuery.Target {
  /// The parameter that named the item.
  var parameter: String {
    switch item {
    case .index: "index"
    case .id: "item"
    }
  }
}

extension Layout {
  /// What `question` finds in this layout.
  ///
  /// - Throws: 404 where there is no such item, 400 where a position would pass 2^47 px; both blame
  ///   the parameter `name`.
  func asking<Found>(
    blame name: String, _ question: (Layout) throws(WindowingError) -> Found
  ) throws(Problem) -> Found {
    do {
      return try question(self)
    } catch {
      switch error {
      case .noItem(let index):
        throw .notFound(
          "The strip has no index \(index): it has \(count) items.", parameter: name)
      case .outOfRange:
        throw .parameter(name, "leads farther than 2^47 px")
      case .tooManyItems(let count):
        throw .parameter(
          "width", "makes a window of \(count) items; the most is \(Limits.items)")
      }
    }
  }
}
