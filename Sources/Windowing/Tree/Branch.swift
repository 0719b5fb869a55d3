/// A node with children, and what comes before each of them and in them all.
///
/// All of it lies in one piece of memory, each child beside what comes before it, so that a walk
/// down a large tree waits for few lines of memory. Sums are kept running rather than for each
/// child, so that a search reads one record a step.
///
///     ║ height, kinds, count ║ record 0 │ record 1 │ … │ record n, of all ║
///                                       │
///     │ child 1 │ what comes before it: count │ aspects │ widths │ kind 0 │ kind 1 │ … │
///
/// Right above the leaves their items may lie in one piece instead, as they came from a file; a
/// child is then a stretch of it, and becomes a node when it is asked for.
///
/// A branch is written once, by the function that makes it, and never changes after.
// Safe to share: immutable once made, and all it holds is Sendable.
struct Branch: @unchecked Sendable {
  private let memory: Memory

  private struct Shape {
    let height: Int32
    let kinds: Int32
    let count: Int32

    /// How many words a record takes: a child, three sums, and one for each kind.
    @inline(__always)
    var stride: Int { Int(kinds) &+ 4 }

    /// How many words there are; the last record has no child.
    var words: Int { stride &* (Int(count) &+ 1) }
  }

  private struct Header {
    let shape: Shape
    let piece: Leaf?
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
    let branch = Branch(height: height, count: children.count, sums: sums)
    for (place, child) in children.enumerated() { branch.setChild(place, child) }
    return branch
  }

  /// Makes a branch of items that lie in one piece, a full leaf of them a child.
  ///
  /// - Complexity: O(items).
  static func holding(_ piece: Leaf) -> Branch {
    let count = (piece.count + Node.builtLeaf - 1) / Node.builtLeaf
    var sums = RunningSums(kinds: piece.kindCount, capacity: count)
    for child in 0..<count {
      let first = child * Node.builtLeaf
      sums.append(piece, first..<min(piece.count, first + Node.builtLeaf))
    }
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

  /// The branch with another node in the place of a child, and the change this makes to all sums
  /// after it.
  func replacing(_ child: Int, with node: Node, adding change: SumsChange) -> Branch {
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
  /// How many levels of nodes lie below.
  var height: Int { Int(shape.height) }

  /// How many kinds have a count here: at least those of all visible items below.
  var kinds: Int { Int(shape.kinds) }

  /// How many children there are.
  var count: Int { Int(shape.count) }

  var children: ContiguousArray<Node> { ContiguousArray((0..<count).map { self[$0] }) }

  /// The stretch of the piece that is a child.
  @inline(__always)
  func stretch(_ child: Int) -> Range<Int> {
    count(before: child)..<count(before: child &+ 1)
  }

  /// What tells a branch from others that may have the same items.
  var identity: ObjectIdentifier { ObjectIdentifier(memory) }

  /// The totals of the children before `child`.
  @inline(__always)
  func totals(before child: Int) -> Totals {
    Totals(
      count: number(0, of: child), aspectUnits: number(1, of: child),
      widthUnits: number(2, of: child))
  }

  /// How many items the children before `child` have.
  @inline(__always)
  func count(before child: Int) -> Int { number(0, of: child) }

  /// How many visible items of `kind` the children before `child` have.
  @inline(__always)
  func count(ofKind kind: Int, before child: Int) -> Int {
    kind < kinds ? number(kind &+ 3, of: child) : 0
  }
}

/// The memory itself: each access below says why it is safe, and nothing else touches it.
extension Branch {
  private final class Memory: ManagedBuffer<Header, Int> {
    deinit {
      guard header.piece == nil else { return }
      let shape = header.shape
      // Safe: whoever makes a branch initializes all of its children; here they are given back.
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
    // Safe: `create` makes an instance of the class that it is called on.
    self.memory = unsafe unsafeDowncast(memory, to: Memory.self)
  }

  @inline(__always)
  private var shape: Shape {
    // Safe: written before anyone else has the memory. Read so, it needs no check for overlapping
    // accesses, which a walk down the tree would pay for at each step.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee.shape }
  }

  /// The items of all leaves below, where they lie in one piece.
  @inline(__always)
  var piece: Leaf? {
    // Safe: as the shape is.
    unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee.piece }
  }

  /// A child by its place; O(items) for a stretch of a piece.
  @inline(__always)
  subscript(child: Int) -> Node {
    let shape = shape
    precondition(child >= 0 && child < Int(shape.count), "A branch is asked for a child it has.")
    if let piece { return .leaf(Leaf(piece[stretch(child)])) }
    // Safe: the place was checked, and all children are initialized.
    return unsafe memory.withUnsafeMutablePointerToElements { words in
      unsafe Branch.node(words + child &* shape.stride).pointee
    }
  }

  /// One of the numbers of a record: count, aspects, widths, then the kinds.
  @inline(__always)
  private func number(_ field: Int, of record: Int) -> Int {
    let shape = shape
    assert(record >= 0 && record <= Int(shape.count) && field < Int(shape.kinds) + 3)
    // Safe: records and fields come from the shape, and all numbers are initialized.
    return unsafe memory.withUnsafeMutablePointerToElements { words in
      unsafe words[record &* shape.stride &+ 1 &+ field]
    }
  }

  @inline(__always)
  private func set(_ field: Int, of record: Int, to number: Int) {
    let place = record &* shape.stride &+ 1 &+ field
    // Safe: called only while the branch is made, for records and fields of its shape.
    unsafe memory.withUnsafeMutablePointerToElements { unsafe $0[place] = number }
  }

  @inline(__always)
  private func setChild(_ child: Int, _ node: Node) {
    let place = child &* shape.stride
    // Safe: called only while the branch is made, once for each child of its shape.
    unsafe memory.withUnsafeMutablePointerToElements { words in
      unsafe Branch.node(words + place).initialize(to: node)
    }
  }

  @inline(__always)
  private static func node(_ word: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Node> {
    // Safe: a node is as large and as aligned as a word, and this word holds nothing else.
    unsafe UnsafeMutableRawPointer(word).assumingMemoryBound(to: Node.self)
  }
}
