/// A secret that lets its bearer change or read one strip; only the SHA-256 of it is kept.
///
///     let token = Token()
///     token.secret  // "carousel_3q2-7wAB...": told once, when it is made
package struct Token: Sendable {
  /// 256 random bits in letters, digits, `-` and `_`, behind a word by which scanners find it.
  package let secret: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    secret = "carousel_" + String((0..<43).map { _ in letters[Int(generator.next() >> 58)] })
  }

  package var digest: Digest { Digest(of: Array(secret.utf8)) }
}

/// What the bearer of a token may do with its strip.
package enum TokenRight: String, Hashable, Sendable {
  /// Read it, where reading is closed.
  case reads
  /// Change it, and read it.
  case changes
}

/// What a token that holds is good for.
package struct TokenGrant: Hashable, Sendable {
  package let strip: String
  package let right: TokenRight

  package init(strip: String, right: TokenRight) {
    self.strip = strip
    self.right = right
  }
}

/// What is known of a token that has been made.
package struct TokenEntry: Hashable, Sendable {
  /// What it is revoked by.
  package let number: Int64
  package let strip: String
  package let right: TokenRight
  /// In microseconds since 1970.
  package let made: Int64
  /// In microseconds since 1970; nil for never.
  package let expires: Int64?

  package init(
    number: Int64, strip: String, right: TokenRight, made: Int64, expires: Int64?
  ) {
    self.number = number
    self.strip = strip
    self.right = right
    self.made = made
    self.expires = expires
  }
}

/// A store that knows who may read which strip: what a server asks where reading is closed.
package protocol TokenVerifier: Sendable {
  /// The strip that the bearer of this secret may read; nil for a token that is none, or none any
  /// more. May wait for the store.
  func strip(readBy secret: [UInt8]) throws(CatalogueError) -> String?
}

/// A store of tokens: what `carousel token` writes to.
package protocol TokenStore: Sendable {
  /// Makes a token for a strip, be it there yet or not.
  ///
  /// - Parameter lifetime: in seconds; nil for ever.
  func makeToken(
    for strip: String, right: TokenRight, lifetime: Int?
  ) throws(CatalogueError) -> Token

  /// All tokens that have not been revoked, in the order of their making.
  func tokens() throws(CatalogueError) -> [TokenEntry]

  /// - Throws: `.invalid` where there is no token of this number.
  func revokeToken(_ number: Int64) throws(CatalogueError)
}
