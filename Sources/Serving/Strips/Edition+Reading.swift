import Catalogue
import HTTP
import Windowing

extension Edition {
  /// The layout of the strip. A nil argument stands for the strip's own setting.
  func layout(height: Length? = nil, wraps: Bool? = nil) -> Layout {
    Layout(
      strip, height: height ?? settings.height, gap: settings.gap, inset: settings.inset,
      wraps: wraps ?? settings.loop)
  }

  /// The layout of the strip at `height`.
  ///
  /// - Throws: 400 if the strip would be longer than 2^47 px.
  func layout(fitting height: Length?, wraps: Bool? = nil) throws(Problem) -> Layout {
    let layout = layout(height: height, wraps: wraps)
    guard layout.fits else {
      throw .parameter("height", "makes the strip longer than 2^47 px")
    }
    return layout
  }

  /// The index of the item `id`.
  ///
  /// - Returns: nil if the index is not in memory and the mode is `cachedOnly`.
  /// - Throws: 404 if there is no such item.
  func index(of id: String, _ mode: ReadMode) throws(Problem) -> Int? {
    let index: CachedIndex
    do throws(CatalogueError) {
      index =
        switch mode {
        case .cachedOnly: try source.cachedIndex(of: id)
        case .mayBlock: try source.indices(of: [id])[0].map(CachedIndex.found) ?? .absent
        }
    } catch {
      throw Problem(error)
    }
    switch index {
    case .found(let index): return index
    case .absent:
      let owner = view == nil ? "The strip \(name)" : "This view of the strip \(name)"
      throw .notFound("\(owner) has no item \(id).", parameter: "item")
    case .unknown: return nil
    }
  }

  /// Passes the items of `range` to `body`, in order. Their bytes are valid during the call only.
  ///
  /// - Returns: false if items are not in memory and the mode is `cachedOnly`.
  func read(
    _ range: Range<Int>, _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(Problem) -> Bool {
    do throws(CatalogueError) {
      switch mode {
      case .cachedOnly: return try source.cachedRead(range, body)
      case .mayBlock: try source.read(range, body)
      }
    } catch {
      throw Problem(error)
    }
    return true
  }

  /// The index of each of these items, or nil. May block.
  func indices(of ids: [String]) throws(Problem) -> [Int?] {
    do {
      return try source.indices(of: ids)
    } catch {
      throw Problem(error)
    }
  }

  /// The complete item at an index. May block.
  func item(at index: Int) throws(Problem) -> Item {
    do {
      return try source.items(in: index..<index + 1)[0]
    } catch {
      throw Problem(error)
    }
  }
}
