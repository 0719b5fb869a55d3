import COpenSSL
package import Items

extension Digest {
  package init(of content: [UInt8]) {
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.count) { bytes, count in
      SHA256(content, content.count, bytes.baseAddress)
      count = Self.count
    }
    guard let digest = Digest(bytes: bytes) else { preconditionFailure("SHA-256 has 32 bytes.") }
    self = digest
  }
}

extension Token {
  /// The SHA-256 of the secret. Stores keep only this digest.
  package var digest: Digest { Digest(of: Array(secret.utf8)) }
}

extension ItemList {
  /// The name of the list: the SHA-256 of its compact JSON, in unpadded base64url.
  package var name: String { Digest(of: json).base64URL }
}
