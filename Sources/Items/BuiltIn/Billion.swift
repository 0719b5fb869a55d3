import Windowing

extension BuiltIn {
  /// A billion items of varied width from a rule: nothing of them is stored but a pattern of a
  /// thousand widths.
  static func billion(version: String) throws(CatalogueError) -> Edition {
    var settings = StripSettings(title: "A billion")
    settings.gap = .px(8)
    let kind = Kind(number: 0)
    let pattern = (0..<Numbers.period).map { index in
      StripItem(
        size: ItemSize(aspect: .zero, width: Numbers.width(at: index)), kind: kind)
    }
    return Edition(
      name: "billion", settings: settings,
      revision: revision(version: version, rule: Numbers.rule.utf8),
      strip: Strip(kinds: [KindName.card], repeating: pattern, count: Numbers.count),
      source: Numbers())
  }
}

/// The items of `billion`: the numbers from one to a billion.
///
/// The item at index i, of number i + 1, is 72 + (i mod 1000)³ mod 167 px wide. As 3 does not
/// divide 166, cubing permutes the remainders of 167: all widths from 72 to 238 px come, none in a
/// row that the eye could follow.
private struct Numbers: ItemSource {
  static let count = 1_000_000_000
  static let period = 1000
  static let rule = "n, No. n, 72 + cube of (n - 1) mod 1000, mod 167 px, seven colours"

  static func width(at index: Int) -> Length {
    let place = index % period
    return .px(72 + place * place * place % 167)
  }

  private static let colors = [
    "#5b7a99", "#7a6f9b", "#9b6f7f", "#a07a5a", "#8a8a55", "#5f8f6b", "#4f8a8b",
  ]

  func contents(of range: Range<Int>) -> [ItemContent] {
    range.map { ItemContent(id: "n" + String($0 + 1), fields: fields(at: $0)) }
  }

  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    var items: [Item] = []
    for index in range {
      items.append(
        try Item(id: "n\(index + 1)", width: Self.width(at: index), fields: fields(at: index)))
    }
    return items
  }

  func index(of id: String) -> Int? {
    guard id.hasPrefix("n"), let number = Int(id.dropFirst()), 1...Self.count ~= number,
      id.utf8.elementsEqual("n\(number)".utf8)
    else { return nil }
    return number - 1
  }

  /// Written as the JSON that it is kept as: a window is made of a dozen of these.
  private func fields(at index: Int) -> Fields {
    var text = JSONText()
    text.bytes.reserveCapacity(80)
    text.raw(#"{"title":"No. "#)
    text.grouped(index + 1)
    text.raw(#"","subtitle":""#)
    text.raw(Self.width(at: index).description.utf8)
    text.raw(#" px","color":""#)
    text.raw(Self.colors[index % Self.colors.count].utf8)
    text.raw(#""}"#)
    return Fields(written: text)
  }
}

extension JSONText {
  /// A number in groups of three digits: `1,234,567`.
  fileprivate mutating func grouped(_ number: Int) {
    if number >= 1000 {
      grouped(number / 1000)
      bytes.append(UInt8(ascii: ","))
    }
    var unit = number >= 100 ? 100 : number >= 10 ? 10 : 1
    while unit > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
      unit /= 10
    }
  }
}
