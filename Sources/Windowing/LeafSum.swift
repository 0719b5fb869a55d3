/// What neighbouring items of a leaf add up to, found without a branch for each, so that the
/// processor adds several at once.
struct LeafSum {
  let aspectUnits: Int
  let widthUnits: Int
  /// How many are not hidden.
  let visible: Int
  /// The kind of them all; nil where there are several.
  let kind: Int?

  init(_ items: Span<PackedItem>) {
    var (aspects, widths, visible) = (UInt64(0), UInt64(0), UInt64(0))
    var (some, all) = (UInt64(0), UInt64.max)
    for place in 0..<items.count {
      let item = items[place]
      aspects &+= item.bits & 0xFFFF_FFFF
      widths &+= item.bits >> 32 & 0xFF_FFFF
      // The sum reaches the bit above a size where that is not zero.
      visible &+= ((item.bits & PackedItem.size) &+ PackedItem.size) >> 56
      some |= item.bits
      all &= item.bits
    }
    aspectUnits = Int(aspects)
    widthUnits = Int(widths)
    self.visible = Int(visible)
    kind = some >> 56 == all >> 56 ? Int(some >> 56) : nil
  }
}
