import Catalogue
package import HTTP
package import Items

/// Checks the tokens of requests that read, if reading needs a token. A token permits to read one
/// strip.
package struct ReadAuthorizer: Sendable {
  let verifier: any TokenVerifier
  let tokens: TokenCache

  package init(verifier: any TokenVerifier, tokens: TokenCache) {
    self.verifier = verifier
    self.tokens = tokens
  }

  package enum Check {
    case principal(Principal)
    /// The store has to verify the token.
    case unverified(BearerToken, wasValid: Bool)
  }

  /// - Throws: 401 if the request has no token or an invalid token.
  package func check(
    _ request: Request, at now: ContinuousClock.Instant = .now
  ) throws(Problem) -> Check {
    guard let token = BearerToken(of: request) else { throw .unauthorized("Reading") }
    switch tokens.find(token.digest, at: now) {
    case .valid(let grant):
      return .principal(Principal(strip: grant.strip, token: token, authorizer: self))
    case .invalid: throw .unknownToken
    case .outdated: return .unverified(token, wasValid: true)
    case .unseen: return .unverified(token, wasValid: false)
    }
  }

  /// Asks the store. May block.
  ///
  /// - Throws: 401 for an invalid token.
  package func principal(
    of token: BearerToken, at now: ContinuousClock.Instant = .now
  ) throws(Problem) -> Principal {
    guard let grant = try tokens.grant(of: token, by: verifier, at: now) else {
      throw .unknownToken
    }
    return Principal(strip: grant.strip, token: token, authorizer: self)
  }
}

/// The bearer of a valid token that permits to read one strip.
package struct Principal: Sendable {
  package let strip: String
  let token: BearerToken
  let authorizer: ReadAuthorizer

  /// The invalid tokens of principals. Asks the store once for all tokens without a recent result in the cache.
  /// If the store fails, these tokens count as valid. May block.
  static func invalidTokens(of principals: [Principal]) -> Set<Digest> {
    guard let authorizer = principals.first?.authorizer else { return [] }
    let now = ContinuousClock.now
    var invalid: Set<Digest> = []
    var unverified: [Digest: BearerToken] = [:]
    for token in principals.map(\.token) {
      switch authorizer.tokens.find(token.digest, at: now) {
      case .valid: break
      case .invalid: invalid.insert(token.digest)
      case .outdated, .unseen: unverified[token.digest] = token
      }
    }
    let tokens = Array(unverified.values)
    guard !tokens.isEmpty,
      let grants = try? authorizer.verifier.grants(of: tokens.map(\.secret))
    else { return invalid }
    for (token, grant) in zip(tokens, grants) {
      authorizer.tokens.record(grant, for: token.digest, at: now)
      if grant == nil { invalid.insert(token.digest) }
    }
    return invalid
  }

  func hasToken(in tokens: Set<Digest>) -> Bool { tokens.contains(token.digest) }
}
