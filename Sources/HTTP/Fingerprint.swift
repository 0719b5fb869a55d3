/// 128 bits that tell contents apart: four lanes of multiply and fold, each over every fourth sixteen
/// bytes, so that four multiplications are always under way.
///
/// It is the same on every machine and in every version, which is what an entity tag needs; it is
/// no defence against somebody who makes two contents collide on purpose.
///
/// - Complexity: O(*n*), about a nanosecond for thirty bytes.
package struct Fingerprint: CustomStringConvertible {
  private var lanes: SIMD4<UInt64> = [
    0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5,
  ]

  package init(_ bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { Fingerprint($0) }
  }

  /// - Parameter seed: what nobody else knows, where those who send the bytes must not choose which
  ///   fingerprints meet.
  package init(_ buffer: UnsafeRawBufferPointer, seed: UInt64 = 0) {
    lanes ^= SIMD4(repeating: seed)
    let whole = buffer.count & ~63
    if let start = buffer.baseAddress { mix(start, upTo: whole) }
    // The rest is filled up with zeros; the count tells it from one that ends with them.
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { rest in
      guard let start = rest.baseAddress else { return }
      rest.initializeMemory(as: UInt8.self, repeating: 0)
      rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[whole...]))
      mix(start, upTo: 64)
    }
    lanes[0] ^= UInt64(buffer.count)
  }

  /// Half of the bits: enough to find a place in a table by.
  package var half: UInt64 {
    Fingerprint.fold(lanes[0] ^ lanes[1], lanes[2] &+ 0xA076_1D64_78BD_642F ^ lanes[3])
  }

  /// 32 hexadecimal digits.
  package var description: String {
    String(unsafeUninitializedCapacity: 32) { write(to: $0.baseAddress) }
  }

  /// Writes the description, and says how many bytes it has.
  func write(to text: UnsafeMutablePointer<UInt8>?) -> Int {
    guard let text else { return 0 }
    let first = half
    let second = Fingerprint.fold(
      lanes[0] &+ lanes[2], lanes[1] ^ 0xE703_7ED1_A0B4_28DB &+ lanes[3])
    for digit in 0..<32 {
      let half = digit < 16 ? first : second ^ first
      let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - (digit & 15) * 4)) & 0xF
      text[digit] = value < 10 ? 0x30 + value : 0x57 + value
    }
    return 32
  }

  /// Takes in `count` bytes, a multiple of 64.
  private mutating func mix(_ start: UnsafeRawPointer, upTo count: Int) {
    // One by one, so that each stays in a register.
    var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var place = start
    let end = start + count
    while place < end {
      a = Self.mixed(a, place)
      b = Self.mixed(b, place + 16)
      c = Self.mixed(c, place + 32)
      d = Self.mixed(d, place + 48)
      place += 64
    }
    lanes = [a, b, c, d]
  }

  /// A lane that has taken in the sixteen bytes at `place`.
  @inline(__always)
  private static func mixed(_ lane: UInt64, _ place: UnsafeRawPointer) -> UInt64 {
    let low = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    let high = UInt64(littleEndian: place.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return fold(lane ^ low, 0xA076_1D64_78BD_642F ^ high) &+ low
  }

  /// Both halves of the 128-bit product, one over the other.
  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
