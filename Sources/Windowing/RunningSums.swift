/// What comes before each child of a branch, and in all of them.
///
/// One record a child, and one more for the whole, in one buffer:
///
///     │ count │ aspects │ widths │ kind 0 │ kind 1 │ … ║ count │ aspects │ …
///     └──────────── before child 0: zeros ─────────────╨─── before child 1 ───
///
/// Sums are kept running rather than for each child, so that a search reads one record a step.
struct RunningSums: Sendable {
  /// How many kinds have a count in each record.
  let kinds: Int
  private(set) var numbers: ContiguousArray<Int>

  /// How many numbers a record has.
  var stride: Int { kinds &+ 3 }

  /// Sums nodes up from nothing.
  init(over children: ContiguousArray<Node>) {
    self.init(kinds: children.reduce(0) { max($0, $1.kindCount) }, capacity: children.count)
    for child in children { append(child) }
  }

  /// Makes an empty list with room for `capacity` children.
  init(kinds: Int, capacity: Int) {
    self.kinds = kinds
    numbers = []
    numbers.reserveCapacity((kinds + 3) * (capacity + 1))
    for _ in 0..<kinds + 3 { numbers.append(0) }
  }

  /// Adds the sums of a node.
  mutating func append(_ node: Node) {
    let last = numbers.count &- stride
    switch node {
    case .leaf(let items):
      for number in last..<last &+ stride { numbers.append(numbers[number]) }
      let next = last &+ stride
      var sum = Totals.zero
      for item in items {
        sum.add(item)
        // Hidden items may be of a kind that nothing visible here has.
        if !item.isHidden { numbers[next &+ 3 &+ item.kind] &+= 1 }
      }
      numbers[next] &+= sum.count
      numbers[next &+ 1] &+= sum.aspectUnits
      numbers[next &+ 2] &+= sum.widthUnits
    case .branch(let branch):
      append(child: nil, of: branch.sums)
    case .repetition(let repetition):
      let sum = repetition.totals
      numbers.append(numbers[last] &+ sum.count)
      numbers.append(numbers[last &+ 1] &+ sum.aspectUnits)
      numbers.append(numbers[last &+ 2] &+ sum.widthUnits)
      for kind in 0..<kinds {
        numbers.append(numbers[last &+ 3 &+ kind] &+ node.count(ofKind: kind))
      }
    }
  }

  /// Adds the sums of one child of another branch, or of all its children.
  mutating func append(child: Int?, of other: RunningSums) {
    let last = numbers.count &- stride
    let low = (child ?? 0) &* other.stride
    let high = child.map { ($0 &+ 1) &* other.stride } ?? other.numbers.count &- other.stride
    for field in 0..<min(stride, other.stride) {
      numbers.append(
        numbers[last &+ field] &+ other.numbers[high &+ field] &- other.numbers[low &+ field])
    }
    while numbers.count &- last < stride &* 2 { numbers.append(numbers[numbers.count &- stride]) }
  }

  /// Adds to every record from `child` on.
  mutating func add(_ change: SumsChange, from child: Int) {
    let stride = stride
    var numbers = numbers.mutableSpan
    var record = child &* stride
    while record < numbers.count {
      numbers[record] &+= change.totals.count
      numbers[record &+ 1] &+= change.totals.aspectUnits
      numbers[record &+ 2] &+= change.totals.widthUnits
      for kind in change.kinds.indices { numbers[record &+ 3 &+ kind] &+= change.kinds[kind] }
      record &+= stride
    }
  }

  /// The totals of the children before `child`.
  @inline(__always)
  func totals(before child: Int) -> Totals {
    let record = child &* stride
    return Totals(
      count: numbers[record], aspectUnits: numbers[record &+ 1], widthUnits: numbers[record &+ 2])
  }

  /// How many items the children before `child` have.
  @inline(__always)
  func count(before child: Int) -> Int { numbers[child &* stride] }

  /// How many visible items of `kind` the children before `child` have.
  @inline(__always)
  func count(ofKind kind: Int, before child: Int) -> Int {
    kind < kinds ? numbers[child &* stride &+ 3 &+ kind] : 0
  }
}
