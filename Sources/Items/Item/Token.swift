/// A secret that lets its bearer change or read one strip. Stores keep only its SHA-256.
///
///     let token = Token()
///     token.secret  // "carousel_3q2-7wAB...": shown once, when the token is created
package struct Token: Sendable {
  /// `carousel_`, which secret scanners can search for, and 258 random bits in base64url's alphabet.
  package let secret: String

  /// Makes a token from the system's secure random generator.
  package init() {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    secret = "carousel_" + String((0..<43).map { _ in letters[Int(generator.next() >> 58)] })
  }
}

/// A SHA-256 (FIPS 180-4). The module `Cryptography` computes it.
package struct Digest: Sendable {
  package static let count = 32

  package let bytes: [UInt8]

  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = bytes
  }
}

extension Digest: Hashable {
  /// Compares in constant time: the duration does not depend on where the digests differ.
  package static func == (left: Digest, right: Digest) -> Bool {
    zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The rights of the bearer of a token to its strip.
package enum TokenScope: String, Hashable, Sendable {
  /// Read it, if `serve` requires tokens for reading.
  case reads
  /// Change it, store lists, and read it.
  case changes
  /// Store lists for views, and read the strip if `serve` requires tokens for reading.
  case lists
}

package struct TokenGrant: Hashable, Sendable {
  package let strip: String
  package let scope: TokenScope

  package init(strip: String, scope: TokenScope) {
    self.strip = strip
    self.scope = scope
  }
}

/// A stored token, without its secret.
package struct TokenEntry: Hashable, Sendable {
  /// The number to revoke it by.
  package let number: Int64
  package let strip: String
  package let scope: TokenScope
  /// In microseconds since 1970.
  package let created: Int64
  /// In microseconds since 1970; nil for never.
  package let expires: Int64?

  package init(
    number: Int64, strip: String, scope: TokenScope, created: Int64, expires: Int64?
  ) {
    self.number = number
    self.strip = strip
    self.scope = scope
    self.created = created
    self.expires = expires
  }
}

/// A store that knows which tokens are valid.
package protocol TokenVerifier: Sendable {
  /// The grant of each secret; nil if its token never existed, has expired, or was revoked.
  ///
  /// This may block. The strip need not exist.
  func grants(of secrets: [[UInt8]]) throws(CatalogueError) -> [TokenGrant?]
}

extension TokenVerifier {
  package func grant(of secret: [UInt8]) throws(CatalogueError) -> TokenGrant? {
    try grants(of: [secret])[0]
  }
}
