import RandomTesting
import Windowing

/// Random items with many edge cases.
extension SeededRandom {
  /// An item that is hidden, 1/64 px, ordinary or huge, by aspect, by width or by both.
  mutating func item(kinds: Int) -> StripItem {
    StripItem(size: size(), kind: Kind(number: pick(0...kinds - 1)))
  }

  mutating func size() -> ItemSize {
    switch pick(0...11) {
    case 0, 1: .hidden
    case 2: ItemSize(width: .unit)
    case 3: ItemSize(aspect: Aspect(units: UInt32(pick(1...70))))
    case 4: ItemSize(width: .px(100_000))
    case 5: ItemSize(aspect: .maximum)
    case 6, 7: ItemSize(width: Length(units: Int64(pick(1...20_000))))
    case 8, 9: ItemSize(aspect: Aspect(units: UInt32(pick(16_000...260_000))))
    default:
      ItemSize(
        aspect: Aspect(units: UInt32(pick(1...200_000))),
        width: Length(units: Int64(pick(1...5_000))))
    }
  }

  /// Items that are all random, small, mostly hidden, short, or of ordinary width.
  mutating func items(count: Int, kinds: Int) -> [StripItem] {
    let character = pick(0...4)
    return (0..<count).map { _ in
      var item = item(kinds: kinds)
      switch character {
      case 0: break
      case 1: item.size = ItemSize(width: Length(units: Int64(pick(0...100))))
      case 2: if !once(in: 8) { item.size = .hidden }
      case 3: item.size = ItemSize(aspect: Aspect(units: UInt32(pick(0...300))))
      default: item.size = ItemSize(width: Length(units: Int64(pick(2_000...20_000))))
      }
      return item
    }
  }

  mutating func gap() -> Length {
    once(in: 2) ? .zero : Length(units: Int64(once(in: 2) ? pick(1...3) : pick(0...4_000)))
  }

  mutating func height() -> Length {
    Length(units: Int64(pick(1_024...(once(in: 4) ? 1 << 20 : 40_000))))
  }
}

func kindNames(_ count: Int) -> [String] { (0..<count).map { "kind-\($0)" } }

/// Splits items into the segments that a strip can be built from.
func segments(of items: [StripItem]) -> [ContiguousArray<PackedItem>] {
  stride(from: 0, to: items.count, by: Strip.segmentCapacity).map { first in
    ContiguousArray(
      items[first..<min(items.count, first + Strip.segmentCapacity)].map(PackedItem.init))
  }
}
