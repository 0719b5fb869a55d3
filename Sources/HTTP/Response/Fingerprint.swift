/// A 128-bit hash of bytes, for entity tags and caches. It is the same on every machine and in every
/// version. It is not cryptographic: an attacker can construct collisions.
///
/// Four lanes multiply and fold, each over every fourth block of 16 bytes, because the processor
/// executes four multiplications at a time.
///
/// - Complexity: O(*n*), about 1 ns for 30 bytes.
package struct Fingerprint: CustomStringConvertible {
  private var lanes: SIMD4<UInt64> = [
    0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5,
  ]

  package init(_ bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { Fingerprint($0) }
  }

  /// - Parameter seed: a secret, if clients choose the bytes and must not be able to choose collisions.
  package init(_ buffer: UnsafeRawBufferPointer, seed: UInt64 = 0) {
    lanes ^= SIMD4(repeating: seed)
    let whole = buffer.count & ~63
    if let start = buffer.baseAddress { mix(start, upTo: whole) }
    finish(UnsafeRawBufferPointer(rebasing: buffer[whole...]), of: buffer.count)
  }

  /// Hashes the `rest` of `count` bytes, up to 63.
  private mutating func finish(_ rest: UnsafeRawBufferPointer, of count: Int) {
    // The last block is padded with zeros. The count distinguishes it from one that ends with zeros.
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
      guard let start = block.baseAddress else { return }
      block.initializeMemory(as: UInt8.self, repeating: 0)
      block.copyMemory(from: rest)
      mix(start, upTo: 64)
    }
    lanes[0] ^= UInt64(count)
  }

  package var hash64: UInt64 {
    Fingerprint.fold(lanes[0] ^ lanes[1], lanes[2] &+ 0xA076_1D64_78BD_642F ^ lanes[3])
  }

  package var description: String {
    String(unsafeUninitializedCapacity: 32) { write(to: $0.baseAddress) }
  }

  /// Writes the description and returns its length in bytes.
  func write(to text: UnsafeMutablePointer<UInt8>?) -> Int {
    guard let text else { return 0 }
    let first = hash64
    let second = Fingerprint.fold(
      lanes[0] &+ lanes[2], lanes[1] ^ 0xE703_7ED1_A0B4_28DB &+ lanes[3])
    for digit in 0..<32 {
      let word = digit < 16 ? first : second ^ first
      let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - (digit & 15) * 4)) & 0xF
      text[digit] = value < 10 ? 0x30 + value : 0x57 + value
    }
    return 32
  }

  /// Hashes `count` bytes, a multiple of 64.
  private mutating func mix(_ start: UnsafeRawPointer, upTo count: Int) {
    // Local variables, so that each lane stays in a register.
    var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var block = start
    let end = start + count
    while block < end {
      a = Self.mixed(a, block)
      b = Self.mixed(b, block + 16)
      c = Self.mixed(c, block + 32)
      d = Self.mixed(d, block + 48)
      block += 64
    }
    lanes = SIMD4(a, b, c, d)
  }

  /// Mixes the 16 bytes at `block` into a lane. Returns the new lane.
  @inline(__always)
  private static func mixed(_ lane: UInt64, _ block: UnsafeRawPointer) -> UInt64 {
    let low = UInt64(littleEndian: block.loadUnaligned(as: UInt64.self))
    let high = UInt64(littleEndian: block.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return fold(lane ^ low, 0xA076_1D64_78BD_642F ^ high) &+ low
  }

  /// The XOR of both halves of the 128-bit product.
  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
