import COpenSSL

/// The SHA-256 of some bytes.
package struct Digest: Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  package init(of content: [UInt8]) {
    bytes = Array(unsafeUninitializedCapacity: Self.count) { bytes, count in
      SHA256(content, content.count, bytes.baseAddress)
      count = Self.count
    }
  }

  private static let count = Int(SHA256_DIGEST_LENGTH)

  /// The digest that was kept; nil for what is none.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = bytes
  }
}

extension Digest: Hashable {
  /// Whether both are equal; how long it takes says nothing of where they differ.
  package static func == (left: Digest, right: Digest) -> Bool {
    zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
