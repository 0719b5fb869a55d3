/// Codes of neighbouring items, in the narrowest integers that hold the greatest of them.
///
/// - Complexity: one, two or four bytes for each code.
package enum PackedIntegers: Sendable {
  case one([UInt8])
  case two([UInt16])
  case four([UInt32])

  package init(_ codes: some Collection<UInt32>) {
    switch codes.reduce(0, |) {
    case ...0xFF: self = .one(codes.map { UInt8(truncatingIfNeeded: $0) })
    case ...0xFFFF: self = .two(codes.map { UInt16(truncatingIfNeeded: $0) })
    // A copy has no spare capacity.
    default: self = .four(codes.map { $0 })
    }
  }

  package var count: Int {
    switch self {
    case .one(let codes): codes.count
    case .two(let codes): codes.count
    case .four(let codes): codes.count
    }
  }

  /// The memory of the codes in bytes, with the head of their array.
  package var cost: Int {
    switch self {
    case .one(let codes): 48 + codes.count
    case .two(let codes): 48 + 2 * codes.count
    case .four(let codes): 48 + 4 * codes.count
    }
  }

  package subscript(index: Int) -> UInt32 {
    switch self {
    case .one(let codes): UInt32(codes[index])
    case .two(let codes): UInt32(codes[index])
    case .four(let codes): codes[index]
    }
  }

  func append(_ range: Range<Int>, to codes: inout [UInt32]) {
    switch self {
    case .one(let own): codes += own[range].lazy.map { UInt32($0) }
    case .two(let own): codes += own[range].lazy.map { UInt32($0) }
    case .four(let own): codes += own[range]
    }
  }

  /// Passes all codes to a visitor, which is compiled for each width.
  @inline(__always)
  func visit<Visitor: CodeVisitor>(_ visitor: inout Visitor) {
    switch self {
    case .one(let codes): codes.withUnsafeBufferPointer { visitor.visit($0) }
    case .two(let codes): codes.withUnsafeBufferPointer { visitor.visit($0) }
    case .four(let codes): codes.withUnsafeBufferPointer { visitor.visit($0) }
    }
  }
}

/// A loop over all codes of some items. It is no closure, because a closure cannot be generic.
protocol CodeVisitor {
  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(_ codes: UnsafeBufferPointer<Code>)
}
