import Catalogue
import Cryptography
package import HTTP
package import Items
import Synchronization

/// A token of a request, and the hash that identifies it in the cache.
package struct BearerToken: Sendable {
  let secret: [UInt8]
  let digest: Digest

  /// The token of `Authorization: Bearer TOKEN` (RFC 6750 section 2.1). The case of the scheme is
  /// ignored.
  init?(of request: Request) {
    guard let value = request["authorization"],
      let space = value.firstIndex(of: UInt8(ascii: " ")),
      value[..<space].equalsIgnoringCase("bearer")
    else { return nil }
    secret = Array(value[space...].drop { $0 == UInt8(ascii: " ") })
    if secret.isEmpty { return nil }
    digest = Digest(of: secret)
  }
}

enum CachedAuthentication: Equatable {
  case valid(TokenGrant)
  case invalid
  /// The token was valid at its last check, over a second ago.
  case outdated
  case unseen
}

/// Caches what the store says of tokens for one second.
///
/// Valid and invalid tokens have separate caches, and unseen tokens have a separate queue
/// (`App.authentication`). So a flood of wrong tokens does not block valid ones.
package final class TokenCache: Sendable {
  package init() {}

  private struct State {
    var valid = BoundedCache<Digest, (grant: TokenGrant, checked: ContinuousClock.Instant)>(
      limit: 4096)
    /// The times at which tokens were found invalid.
    var invalid = BoundedCache<Digest, ContinuousClock.Instant>(limit: 4096)
  }

  private let state = Mutex(State())

  static let lifetime = Duration.seconds(1)

  func find(_ token: Digest, at now: ContinuousClock.Instant) -> CachedAuthentication {
    state.withLock { state in
      if let entry = state.valid.find(token) {
        return now - entry.checked < Self.lifetime ? .valid(entry.grant) : .outdated
      }
      guard let checked = state.invalid.find(token), now - checked < Self.lifetime else {
        return .unseen
      }
      return .invalid
    }
  }

  package func recordValid(_ token: Digest, _ grant: TokenGrant, at now: ContinuousClock.Instant) {
    state.withLock { $0.valid.insert((grant, now), for: token, cost: 1) }
  }

  fileprivate func record(
    _ grant: TokenGrant?, for token: Digest, at now: ContinuousClock.Instant
  ) {
    if let grant { recordValid(token, grant, at: now) } else { recordInvalid(token, at: now) }
  }

  func recordInvalid(_ token: Digest, at now: ContinuousClock.Instant) {
    state.withLock { state in
      state.valid.remove(token)
      state.invalid.insert(now, for: token, cost: 1)
    }
  }

  /// Asks the store whether the bearer of `token` may change a strip. May block.
  ///
  /// - Parameter scope: `.lists` if the request stores a list.
  /// - Throws: 401 for an unknown token; 403 for a token of another strip, or without the scope. It
  ///   never throws 404 for the strip, so a client without a token cannot learn which strips exist.
  func authorize(
    _ token: BearerToken, toChange strip: String, by editor: any StripEditor, with scope: TokenScope
  ) throws(Problem) {
    guard let grant = try grant(of: token, by: editor) else { throw .unknownToken }
    try grant.check(strip, with: scope)
  }

  /// Asks the store what the bearer of a token may do. Nil for an invalid token. May block.
  fileprivate func grant(
    of token: BearerToken, by verifier: any TokenVerifier, at now: ContinuousClock.Instant = .now
  ) throws(Problem) -> TokenGrant? {
    let grant = try Problem.mapping(verifier.grant(of: token.secret))
    record(grant, for: token.digest, at: now)
    return grant
  }
}

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
  fileprivate let token: BearerToken
  fileprivate let authorizer: ReadAuthorizer

  /// The principals whose token is invalid. If the store fails, none of the unverified ones. Asks the store
  /// once for all. May block.
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

extension TokenGrant {
  /// - Throws: 403 if it does not permit to change `strip`.
  func check(_ strip: String, with scope: TokenScope) throws(Problem) {
    guard self.strip == strip else { throw .ofAnotherStrip }
    switch self.scope {
    case .changes: break
    case .lists where scope == .lists: break
    case .lists: throw Problem(status: 403, detail: "The token permits only storing lists.")
    case .reads: throw Problem(status: 403, detail: "The token permits only reading.")
    }
  }
}

extension Problem {
  static func unauthorized(_ what: String) -> Problem {
    Problem(
      status: 401, detail: "\(what) requires a token: Authorization: Bearer TOKEN.",
      fields: [Field("WWW-Authenticate", #"Bearer realm="carousel""#)])
  }

  /// RFC 6750, 3.1.
  static let unknownToken = Problem(
    status: 401, detail: "The token is unknown: it was revoked, has expired, or was never issued.",
    fields: [Field("WWW-Authenticate", #"Bearer realm="carousel", error="invalid_token""#)])

  static let ofAnotherStrip = Problem(status: 403, detail: "The token is for another strip.")
}
