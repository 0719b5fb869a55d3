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

  /// The same.
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
  /// - Returns: nil if only the store can tell and the request must not wait.
  /// - Throws: 404 if there is no such item.
  func index(of id: String, _ mode: ReadMode) throws(Problem) -> Int? {
    let index: CachedIndex
    do throws(CatalogueError) {
      index =
        switch mode {
        case .cachedOnly: try source.cachedIndex(of: id)
        case .mayBlock: try source.index(of: id).map(CachedIndex.found) ?? .absent
        }
    } catch {
      throw Problem(error)
    }
    switch index {
    case .found(let index): return index
    case .absent: throw .notFound("The strip \(name) has no item \(id).", parameter: "item")
    case .unknown: return nil
    }
  }

  /// Passes the items of `range` to `take`, in order, as bytes that are valid during the call.
  ///
  /// - Returns: false if they are not in memory and the request must not wait.
  func read(
    _ range: Range<Int>, _ mode: ReadMode, _ take: (ItemBytes) -> Void
  ) throws(Problem) -> Bool {
    do throws(CatalogueError) {
      switch mode {
      case .cachedOnly: return try source.cachedRead(range, take)
      case .mayBlock: try source.read(range, take)
      }
    } catch {
      throw Problem(error)
    }
    return true
  }

  /// The whole item at an index. May block.
  func item(at index: Int) throws(Problem) -> Item {
    do {
      return try source.items(in: index..<index + 1)[0]
    } catch {
      throw Problem(error)
    }
  }
}
