import Catalogue
import HTTP
import Windowing

extension Edition {
  /// The strip drawn at its own height and by its own settings, unless told otherwise.
  func layout(height: Length? = nil, wraps: Bool? = nil) -> Layout {
    Layout(
      strip, height: height ?? settings.height, gap: settings.gap, inset: settings.inset,
      wraps: wraps ?? settings.loop)
  }

  /// The same, refused where the strip would be longer than 2^47 px.
  func layout(fitting height: Length?, wraps: Bool? = nil) throws(Problem) -> Layout {
    let layout = layout(height: height, wraps: wraps)
    guard layout.fits else {
      throw .parameter("height", "makes the strip longer than 2^47 px")
    }
    return layout
  }

  /// The index of the item `id`.
  ///
  /// - Throws: 404 where there is none.
  func place(of id: String) throws(Problem) -> Int {
    let index: Int?
    do {
      index = try source.index(of: id)
    } catch {
      throw Problem(error)
    }
    guard let index else {
      throw .notFound("The strip \(name) has no item \(id).", parameter: "item")
    }
    return index
  }

  /// What the items of `range` show, in order.
  func contents(of range: Range<Int>) throws(Problem) -> [ItemContent] {
    do {
      return try source.contents(of: range)
    } catch {
      throw Problem(error)
    }
  }

  /// Hands out what the items of `range` show, in order, as bytes that last while `take` looks.
  func read(_ range: Range<Int>, _ take: (ItemBytes) -> Void) throws(Problem) {
    do {
      try source.read(range, take)
    } catch {
      throw Problem(error)
    }
  }

  /// The item at an index, whole.
  func item(at index: Int) throws(Problem) -> Item {
    do {
      return try source.items(in: index..<index + 1)[0]
    } catch {
      throw Problem(error)
    }
  }
}
