/// A node with children, the sums before each child, and the sums of all children.
///
/// One allocation holds the whole branch. Each child lies beside the sums before it, so a search
/// has few cache misses.
///
///     ║ height, kinds, count ║ record 0 │ record 1 │ … │ record n, of all ║
///                                       │
///     │ child 1 │ sums before it: count │ aspects │ widths │ kind 0 │ kind 1 │ … │
///
/// A branch of height 1 can hold its items in one array, called a segment, instead of leaves. A child
/// is then a range of the segment, and becomes a leaf when a caller reads it.
// Safe to share: it is immutable, and all its members are Sendable.
package struct Branch: @unchecked Sendable {
  private let memory: Memory

  private struct Shape {
    let height: Int32
    let kinds: Int32
    let count: Int32

    init(height: Int, kinds: Int, count: Int) {
      (self.height, self.kinds, self.count) = (Int32(height), Int32(kinds), Int32(count))
    }

    /// The words of a record: a child, three sums, and one count for each kind.
    @inline(__always)
    var stride: Int { Int(kinds) &+ 4 }

    /// The words of all records. The last record has no child.
    var words: Int { stride &* (Int(count) &+ 1) }
  }

  private struct Header {
    let shape: Shape
    let segment: Leaf?
  }

  /// A child of a new branch. The sums of an old child are copied from the branch that has it.
  enum Child {
    case old(Branch, Int)
    case new(Node)
  }

  /// - Precondition: No child has a visible item of a kind above `kinds` - 1.
  init(height: Int, kinds: Int, _ children: ArraySlice<Child>) {
    self.init(Shape(height: height, kinds: kinds, count: children.count))
    var record = 0
    for child in children {
      switch child {
      case .old(let branch, let index):
        setChild(record, branch[index])
        append(branch, index..<index &+ 1, after: record)
      case .new(let node):
        setChild(record, node)
        append(node, after: record)
      }
      record &+= 1
    }
  }

  package static func joining(_ children: ContiguousArray<Node>) -> Branch {
    Branch(
      height: children[0].height + 1, kinds: children.reduce(0) { max($0, $1.kindCount) },
      children.map { .new($0) }[...])
  }

  /// A branch whose children are ranges of `segment`. Each child is full, except the last one. O(items).
  static func holding(_ segment: Leaf) -> Branch {
    let count = (segment.count + Node.initialLeafCount - 1) / Node.initialLeafCount
    let branch = Branch(Shape(height: 1, kinds: segment.kindCount, count: count), segment: segment)
    for child in 0..<count {
      let first = child * Node.initialLeafCount
      branch.append(
        segment.span.extracting(first..<min(segment.count, first + Node.initialLeafCount)),
        after: child)
    }
    return branch
  }

  /// - Parameter change: is added to all sums after the child.
  func replacing(_ child: Int, with node: Node, adding change: TotalsChange) -> Branch {
    let branch = Branch(shape)
    branch.copyRecords(of: self)
    for index in 0..<count { branch.setChild(index, index == child ? node : self[index]) }
    for record in child &+ 1...count {
      branch.add(change.totals, to: record)
      for kind in change.kinds.indices { branch.add(change.kinds[kind], to: kind &+ 3, of: record) }
    }
    return branch
  }
}

// The sums of a new branch. Each function writes the record after the sums of one more child.
extension Branch {
  private func append(_ child: Node, after record: Int) {
    switch child {
    case .leaf(let items):
      append(items.span, after: record)
    case .branch(let branch):
      append(branch, 0..<branch.count, after: record)
    case .repetition(let repetition):
      copyRecord(record)
      add(repetition.totals, to: record &+ 1)
      for kind in 0..<kinds { add(child.count(ofKind: kind), to: kind &+ 3, of: record &+ 1) }
    }
  }

  private func append(_ branch: Branch, _ children: Range<Int>, after record: Int) {
    let (low, high) = (children.lowerBound, children.upperBound)
    copyRecord(record)
    add(branch.totals(before: high) - branch.totals(before: low), to: record &+ 1)
    for kind in 0..<kinds {
      let count =
        branch.count(ofKind: kind, before: high) &- branch.count(ofKind: kind, before: low)
      add(count, to: kind &+ 3, of: record &+ 1)
    }
  }

  private func append(_ items: Span<PackedItem>, after record: Int) {
    let (sum, next) = (LeafSum(items), record &+ 1)
    copyRecord(record)
    add(sum.totals, to: next)
    if let kind = sum.kind {
      // The record may have no field for a kind of hidden items only.
      if sum.visible > 0 { add(sum.visible, to: kind &+ 3, of: next) }
    } else {
      for index in items.indices where !items[index].isHidden {
        add(1, to: items[index].kind &+ 3, of: next)
      }
    }
  }

  private func copyRecord(_ record: Int) {
    for field in 0..<kinds &+ 3 { set(field, of: record &+ 1, to: number(field, of: record)) }
  }

  @inline(__always)
  private func add(_ totals: Totals, to record: Int) {
    add(totals.count, to: 0, of: record)
    add(totals.aspectUnits, to: 1, of: record)
    add(totals.widthUnits, to: 2, of: record)
  }

  @inline(__always)
  private func add(_ difference: Int, to field: Int, of record: Int) {
    set(field, of: record, to: number(field, of: record) &+ difference)
  }
}

extension Branch {
  package var height: Int { Int(shape.height) }

  /// The kinds of each record: at least the highest kind of a visible item, plus one.
  package var kinds: Int { Int(shape.kinds) }

  package var count: Int { Int(shape.count) }

  package var children: ContiguousArray<Node> { ContiguousArray((0..<count).map { self[$0] }) }

  @inline(__always)
  func itemRange(_ child: Int) -> Range<Int> {
    count(before: child)..<count(before: child &+ 1)
  }

  var identity: ObjectIdentifier { ObjectIdentifier(memory) }

  @inline(__always)
  package func totals(before child: Int) -> Totals {
    Totals(
      count: number(0, of: child), aspectUnits: number(1, of: child),
      widthUnits: number(2, of: child))
  }

  @inline(__always)
  func count(before child: Int) -> Int { number(0, of: child) }

  /// The number of visible items of `kind` in the children before `child`.
  @inline(__always)
  package func count(ofKind kind: Int, before child: Int) -> Int {
    kind < kinds ? number(kind &+ 3, of: child) : 0
  }
}

// The memory of a branch. No other code accesses it.
extension Branch {
  private final class Memory: ManagedBuffer<Header, Int> {
    deinit {
      guard header.segment == nil else { return }
      let shape = header.shape
      // Safe: a branch without a segment has initialized all its children.
      unsafe withUnsafeMutablePointerToElements { words in
        for child in 0..<Int(shape.count) {
          unsafe Branch.node(words + child &* shape.stride).deinitialize(count: 1)
        }
      }
    }
  }

  private init(_ shape: Shape, segment: Leaf? = nil) {
    let header = Header(shape: shape, segment: segment)
    let memory = Memory.create(minimumCapacity: shape.words) { _ in header }
    // Safe: `create` makes an instance of the class it is called on.
    self.memory = unsafe unsafeDowncast(memory, to: Memory.self)
    for field in 0..<shape.stride &- 1 { set(field, of: 0, to: 0) }
  }

  /// The children are not valid yet: they have no reference of their own.
  private func copyRecords(of other: Branch) {
    let words = shape.words
    // Safe: both have this number of words, which are plain numbers until `setChild` is called.
    unsafe memory.withUnsafeMutablePointerToElements { new in
      unsafe other.memory.withUnsafeMutablePointerToElements { old in
        unsafe new.update(from: old, count: words)
      }
    }
  }

  @inline(__always)
  private var shape: Shape {
    // Safe: the header is written before the memory is shared. Unlike `header`, this access has no
    // exclusivity check, which would cost time at each step of a search.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee.shape }
  }

  /// The items of all children, if one array holds them.
  @inline(__always)
  var segment: Leaf? {
    // Safe: as for the shape.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee.segment }
  }

  /// A child by its index. O(1); O(items) if it is a range of a segment.
  @inline(__always)
  subscript(child: Int) -> Node {
    let shape = shape
    precondition(child >= 0 && child < Int(shape.count), "A child of a branch is within it.")
    if let segment { return .leaf(Leaf(segment[itemRange(child)])) }
    // Safe: the index was checked, and all children are initialized.
    return unsafe memory.withUnsafeMutablePointerToElements { words in
      unsafe Branch.node(words + child &* shape.stride).pointee
    }
  }

  /// A field of a record: 0 count, 1 aspects, 2 widths, then the kinds.
  @inline(__always)
  private func number(_ field: Int, of record: Int) -> Int {
    let shape = shape
    assert(record >= 0 && record <= Int(shape.count) && field < Int(shape.kinds) + 3)
    // Safe: the record and the field are within the shape, and all numbers are initialized.
    return unsafe memory.withUnsafeMutablePointerToElements { words in
      unsafe words[record &* shape.stride &+ 1 &+ field]
    }
  }

  @inline(__always)
  private func set(_ field: Int, of record: Int, to number: Int) {
    let index = record &* shape.stride &+ 1 &+ field
    // Safe: only functions that make a branch call this, with records and fields of the shape.
    unsafe memory.withUnsafeMutablePointerToElements { unsafe $0[index] = number }
  }

  @inline(__always)
  private func setChild(_ child: Int, _ node: Node) {
    let index = child &* shape.stride
    // Safe: only functions that make a branch call this, once for each child of the shape.
    unsafe memory.withUnsafeMutablePointerToElements { words in
      unsafe Branch.node(words + index).initialize(to: node)
    }
  }

  @inline(__always)
  private static func node(_ word: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Node> {
    // Safe: a node has the size and alignment of a word, and only children use these words.
    unsafe UnsafeMutableRawPointer(word).assumingMemoryBound(to: Node.self)
  }
}
