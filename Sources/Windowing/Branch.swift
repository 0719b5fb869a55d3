/// A node with children, and what comes before each of them and in them all.
///
/// All of it lies in one piece of memory, so that a walk down a large tree waits for few lines of
/// it; sums are kept running rather than for each child, so that a search reads one record a step.
///
///     ║ height, kinds, count ║ record 0 │ record 1 │ … │ record n ║ child 0 │ … │ child n-1 ║
///                                       │
///        what comes before child 1:  │ count │ aspects │ widths │ kind 0 │ kind 1 │ …
///
/// A branch is written once, by the function that makes it, and never changes after.
// Safe to share: immutable once made, and all it holds is Sendable.
struct Branch: @unchecked Sendable {
  private let memory: Memory

  private struct Shape {
    let height: Int
    /// How many kinds have a count in each record.
    let kinds: Int
    /// How many children there are.
    let count: Int

    /// How many numbers a record has.
    @inline(__always)
    var stride: Int { kinds &+ 3 }

    /// How many numbers come before the children.
    @inline(__always)
    var sums: Int { stride &* (count &+ 1) }
  }

  /// Joins nodes of one height under a branch.
  ///
  /// - Complexity: O(children x kinds), and O(items) for each child that is a leaf.
  static func joining(_ children: ContiguousArray<Node>) -> Branch {
    making(children, height: children[0].height + 1, sums: RunningSums(over: children))
  }

  /// Joins nodes whose sums are known already.
  static func making(
    _ children: ContiguousArray<Node>, height: Int, sums: RunningSums
  ) -> Branch {
    let branch = allocating(Shape(height: height, kinds: sums.kinds, count: children.count))
    for (place, number) in sums.numbers.enumerated() { branch.setNumber(place, number) }
    for (place, child) in children.enumerated() { branch.setChild(place, child) }
    return branch
  }

  /// The branch with another node in the place of a child, and the change this makes to all sums
  /// after it.
  func replacing(_ child: Int, with node: Node, adding change: SumsChange) -> Branch {
    let branch = Branch.allocating(header)
    let stride = header.stride
    for place in 0..<header.sums { branch.setNumber(place, number(place)) }
    var record = stride &* (child &+ 1)
    while record < header.sums {
      branch.setNumber(record, number(record) &+ change.totals.count)
      branch.setNumber(record &+ 1, number(record &+ 1) &+ change.totals.aspectUnits)
      branch.setNumber(record &+ 2, number(record &+ 2) &+ change.totals.widthUnits)
      for kind in change.kinds.indices {
        let place = record &+ 3 &+ kind
        branch.setNumber(place, number(place) &+ change.kinds[kind])
      }
      record &+= stride
    }
    for place in 0..<count { branch.setChild(place, place == child ? node : self[place]) }
    return branch
  }

  /// Holds the numbers and the children, and gives the children back in the end.
  private final class Memory: ManagedBuffer<Shape, Int> {
    deinit {
      let shape = header
      // Safe: whoever makes a branch initializes all of its children; here they are given back.
      unsafe withUnsafeMutablePointerToElements { numbers in
        _ = unsafe Branch.children(numbers, after: shape.sums).deinitialize(count: shape.count)
      }
    }
  }

  @inline(__always)
  private var header: Shape {
    // Safe: written before anyone else has the memory. Read so, it needs no check for overlapping
    // accesses, which a walk down the tree would pay for at each step.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee }
  }

  /// What tells a branch from others that may have the same items.
  var identity: ObjectIdentifier { ObjectIdentifier(memory) }
}

extension Branch {
  /// How many levels of nodes lie below.
  var height: Int { header.height }

  /// How many kinds have a count here: at least those of all visible items below.
  var kinds: Int { header.kinds }

  /// How many children there are.
  var count: Int { header.count }

  var children: ContiguousArray<Node> { ContiguousArray((0..<count).map { self[$0] }) }

  /// A child by its place.
  @inline(__always)
  subscript(child: Int) -> Node {
    let shape = header
    precondition(child >= 0 && child < shape.count, "A branch is asked for a child it has.")
    // Safe: the place was checked, and all children are initialized.
    return unsafe memory.withUnsafeMutablePointerToElements { numbers in
      unsafe Branch.children(numbers, after: shape.sums)[child]
    }
  }

  /// The totals of the children before `child`.
  @inline(__always)
  func totals(before child: Int) -> Totals {
    let record = child &* header.stride
    return Totals(
      count: number(record), aspectUnits: number(record &+ 1), widthUnits: number(record &+ 2))
  }

  /// How many items the children before `child` have.
  @inline(__always)
  func count(before child: Int) -> Int { number(child &* header.stride) }

  /// How many visible items of `kind` the children before `child` have.
  @inline(__always)
  func count(ofKind kind: Int, before child: Int) -> Int {
    kind < header.kinds ? number(child &* header.stride &+ 3 &+ kind) : 0
  }

  /// One of the numbers of all records.
  @inline(__always)
  func number(_ place: Int) -> Int {
    assert(place >= 0 && place < header.sums)
    // Safe: places are computed from the shape, and all numbers are initialized.
    return unsafe memory.withUnsafeMutablePointerToElements { unsafe $0[place] }
  }
}

extension Branch {
  private static func allocating(_ shape: Shape) -> Branch {
    let memory = Memory.create(minimumCapacity: shape.sums + shape.count) { _ in shape }
    // Safe: `create` makes an instance of the class that it is called on.
    return Branch(memory: unsafe unsafeDowncast(memory, to: Memory.self))
  }

  @inline(__always)
  private func setNumber(_ place: Int, _ number: Int) {
    // Safe: called only while the branch is made, for each number of its shape.
    unsafe memory.withUnsafeMutablePointerToElements { unsafe $0[place] = number }
  }

  @inline(__always)
  private func setChild(_ place: Int, _ child: Node) {
    let sums = header.sums
    // Safe: called only while the branch is made, once for each child of its shape.
    unsafe memory.withUnsafeMutablePointerToElements { numbers in
      unsafe (Branch.children(numbers, after: sums) + place).initialize(to: child)
    }
  }

  @inline(__always)
  private static func children(
    _ numbers: UnsafeMutablePointer<Int>, after sums: Int
  ) -> UnsafeMutablePointer<Node> {
    // Safe: a node is as large and as aligned as a number, and this part holds nodes alone.
    unsafe UnsafeMutableRawPointer(numbers + sums).assumingMemoryBound(to: Node.self)
  }
}
