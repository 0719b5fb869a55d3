package import Items
import RandomTesting
import Windowing

/// Random items: with an aspect, a width, both or neither; some hidden, some grouped; of several
/// kinds.
package func randomItems(_ count: Int, seed: UInt64) throws -> [Item] {
  var random = SeededRandom(seed: seed)
  var items: [Item] = []
  var group: String?
  for index in 0..<count {
    if Int.random(in: 0..<20, using: &random) == 0 {
      group = Bool.random(using: &random) ? nil : "Group \(index) é"
    }
    let aspect = Aspect(units: UInt32.random(in: 0...65_536_000, using: &random))
    let width = Length(units: Int64.random(in: 0...6_400_000, using: &random))
    let isHidden = Int.random(in: 0..<30, using: &random) == 0
    items.append(
      try Item(
        id: "item \(index) \"\u{1F600}\"", kind: "kind-\(Int.random(in: 0..<5, using: &random))",
        aspect: isHidden ? .zero : Bool.random(using: &random) ? aspect : nil,
        width: isHidden ? .zero : Bool.random(using: &random) ? width : nil, group: group,
        fields: Fields([
          ("title", .string("Title\n\(index)")), ("n", .number("\(index).50")),
          ("odd", .boolean(index % 2 == 1)),
        ])))
  }
  return items
}
