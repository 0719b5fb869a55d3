package import Windowing

// Between the numbers that people write and the whole units that are kept.

extension Aspect {
  /// The aspect nearest to `ratio`.
  ///
  /// - Throws: `.invalid` for one that is not within 0 and 1000.
  package init(checking ratio: Double) throws(CatalogueError) {
    guard 0...1000 ~= ratio, let aspect = Aspect(ratio: ratio) else {
      throw .invalid("aspect: \(ratio.spelled) is not within 0 and 1000")
    }
    self = aspect
  }

  /// The shortest decimal that is taken to this aspect again, such as `1.0635`.
  ///
  /// Five decimals always do: they are nearer together than two aspects.
  package var decimal: String {
    var scale: UInt64 = 1
    for decimals in 0..<5 {
      let nearest = (UInt64(units) * scale * 2 + 65536) / (2 * 65536)
      if (nearest * 65536 * 2 + scale) / (2 * scale) == UInt64(units) {
        return spell(nearest, decimals: decimals)
      }
      scale *= 10
    }
    return spell((UInt64(units) * scale * 2 + 65536) / (2 * 65536), decimals: 5)
  }
}

extension Length {
  /// The width nearest to `px`.
  ///
  /// - Throws: `.invalid` for one that is not within 0 and 100,000 px.
  package init(checking px: Double) throws(CatalogueError) {
    guard 0...100_000 ~= px, let width = Length(px: px) else {
      throw .invalid("width: \(px.spelled) is not within 0 and 100000")
    }
    self = width
  }
}

/// `digits` with its last `decimals` digits behind the point: `spell(10635, decimals: 4)` is
/// `1.0635`.
private func spell(_ digits: UInt64, decimals: Int) -> String {
  var text = String(digits)
  guard decimals > 0 else { return text }
  if text.count <= decimals {
    text = String(repeating: "0", count: decimals + 1 - text.count) + text
  }
  text.insert(".", at: text.index(text.endIndex, offsetBy: -decimals))
  return text
}

extension Double {
  /// As a person writes it: without `.0`.
  var spelled: String { self == rounded() && magnitude < 1e15 ? String(Int64(self)) : "\(self)" }
}
