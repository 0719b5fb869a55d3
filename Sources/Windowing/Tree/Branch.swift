/// A node with children, the sums before each child, and the sums of all children.
///
/// One allocation holds the whole branch. Each child lies beside the sums before it, so that a
/// search of a large tree has few cache misses. The sums are running sums, so that a search reads
/// one record for each step.
///
///     ║ height, kinds, count ║ record 0 │ record 1 │ … │ record n, of all ║
///                                       │
///     │ child 1 │ sums before it: count │ aspects │ widths │ kind 0 │ kind 1 │ … │
///
/// A branch of height 1 can hold its items in one array, called a piece, instead of leaves. A child
/// is then a range of the piece, and becomes a leaf when a caller reads it.
///
/// The function that makes a branch writes it. It never changes afterwards.
// Safe to share: it is immutable, and all its members are Sendable.
package struct Branch: @unchecked Sendable {
  private let memory: Memory

  private struct Shape {
    let height: Int32
    let kinds: Int32
    let count: Int32

    /// The number of words in a record: a child, three sums, and one count for each kind.
    @inline(__always)
    var stride: Int { Int(kinds) &+ 4 }

    /// The number of words in all records. The last record has no child.
    var words: Int { stride &* (Int(count) &+ 1) }
  }

  private struct Header {
    let shape: Shape
    let piece: Leaf?
  }

  /// Makes a branch from nodes of equal height.
  ///
  /// - Complexity: O(children x kinds), plus O(items) for each leaf.
  package static func joining(_ children: ContiguousArray<Node>) -> Branch {
    making(children, height: children[0].height + 1, sums: RunningSums(over: children))
  }

  static func making(
    _ children: ContiguousArray<Node>, height: Int, sums: RunningSums
  ) -> Branch {
    let branch = Branch(height: height, count: children.count, sums: sums)
    for (index, child) in children.enumerated() { branch.setChild(index, child) }
    return branch
  }

  /// Makes a branch of height 1 from a piece. Each child is a full leaf, except the last one.
  ///
  /// - Complexity: O(items).
  static func holding(_ piece: Leaf) -> Branch {
    let count = (piece.count + Node.builtLeaf - 1) / Node.builtLeaf
    let sums = RunningSums(of: piece, each: Node.builtLeaf)
    return Branch(height: 1, count: count, sums: sums, piece: piece)
  }

  private init(height: Int, count: Int, sums: RunningSums, piece: Leaf? = nil) {
    self.init(
      Shape(height: Int32(height), kinds: Int32(sums.kinds), count: Int32(count)), piece: piece)
    let fields = sums.kinds + 3
    var record = 0
    for first in stride(from: 0, to: sums.numbers.count, by: fields) {
      for field in 0..<fields { set(field, of: record, to: sums.numbers[first + field]) }
      record += 1
    }
  }

  /// Replaces a child, and adds a difference to all sums after it.
  func replacing(_ child: Int, with node: Node, adding change: SumsDelta) -> Branch {
    let branch = Branch(shape)
    for record in 0...count {
      for field in 0..<kinds &+ 3 {
        branch.set(field, of: record, to: number(field, of: record))
      }
      if record < count { branch.setChild(record, record == child ? node : self[record]) }
    }
    for record in child &+ 1...count {
      branch.set(0, of: record, to: number(0, of: record) &+ change.totals.count)
      branch.set(1, of: record, to: number(1, of: record) &+ change.totals.aspectUnits)
      branch.set(2, of: record, to: number(2, of: record) &+ change.totals.widthUnits)
      for kind in change.kinds.indices {
        let field = kind &+ 3
        branch.set(field, of: record, to: number(field, of: record) &+ change.kinds[kind])
      }
    }
    return branch
  }
}

extension Branch {
  /// The number of levels of nodes below.
  package var height: Int { Int(shape.height) }

  /// The number of kinds in each record: at least the highest kind of a visible item, plus one.
  package var kinds: Int { Int(shape.kinds) }

  package var count: Int { Int(shape.count) }

  package var children: ContiguousArray<Node> { ContiguousArray((0..<count).map { self[$0] }) }

  @inline(__always)
  func itemRange(_ child: Int) -> Range<Int> {
    count(before: child)..<count(before: child &+ 1)
  }

  /// Equal for two values only if they are the same branch.
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

/// The memory of a branch. No other code accesses it. Each access says why it is safe.
extension Branch {
  private final class Memory: ManagedBuffer<Header, Int> {
    deinit {
      guard header.piece == nil else { return }
      let shape = header.shape
      // Safe: a branch without a piece has initialized all its children.
      unsafe withUnsafeMutablePointerToElements { words in
        for child in 0..<Int(shape.count) {
          unsafe Branch.node(words + child &* shape.stride).deinitialize(count: 1)
        }
      }
    }
  }

  private init(_ shape: Shape, piece: Leaf? = nil) {
    let header = Header(shape: shape, piece: piece)
    let memory = Memory.create(minimumCapacity: shape.words) { _ in header }
    // Safe: `create` makes an instance of the class it is called on.
    self.memory = unsafe unsafeDowncast(memory, to: Memory.self)
  }

  @inline(__always)
  private var shape: Shape {
    // Safe: the header is written before the memory is shared. Unlike `header`, this access has no
    // exclusivity check, which would cost time at each step of a search.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee.shape }
  }

  /// The items of all children, if one array holds them.
  @inline(__always)
  var piece: Leaf? {
    // Safe: as for the shape.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee.piece }
  }

  /// A child by its index. O(1); O(items) if it is a range of a piece.
  @inline(__always)
  subscript(child: Int) -> Node {
    let shape = shape
    precondition(child >= 0 && child < Int(shape.count), "A child of a branch is within it.")
    if let piece { return .leaf(Leaf(piece[itemRange(child)])) }
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
    // Safe: only initializers call this, with records and fields of the shape.
    unsafe memory.withUnsafeMutablePointerToElements { unsafe $0[index] = number }
  }

  @inline(__always)
  private func setChild(_ child: Int, _ node: Node) {
    let index = child &* shape.stride
    // Safe: only initializers call this, once for each child of the shape.
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
