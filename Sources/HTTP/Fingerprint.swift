/// 128 bits that tell contents apart: two lanes of multiply and fold over the bytes, eight at a time.
///
/// It is the same on every machine and in every version, which is what an entity tag needs; it is
/// no defence against somebody who makes two contents collide on purpose.
///
/// - Complexity: O(*n*), about a nanosecond for eight bytes.
struct Fingerprint: CustomStringConvertible {
  private var first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  init(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset + 8 <= buffer.count {
        mix(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      var last: UInt64 = 0
      for index in offset..<buffer.count { last = last << 8 | UInt64(buffer[index]) }
      mix(last)
      mix(UInt64(buffer.count))
    }
  }

  /// 32 hexadecimal digits.
  var description: String {
    [first, second].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private mutating func mix(_ word: UInt64) {
    first = Fingerprint.fold(first ^ word, 0xA076_1D64_78BD_642F)
    second = Fingerprint.fold(second &+ word, 0xE703_7ED1_A0B4_28DB) ^ first
  }

  /// Both halves of the 128-bit product, one over the other.
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
