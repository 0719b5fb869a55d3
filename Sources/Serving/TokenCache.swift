import Catalogue
import HTTP
package import Items
import Synchronization

/// The state of a token in the cache.
enum CachedAuthentication: Equatable {
  case valid(TokenGrant)
  case invalid
  /// The token was valid at its last check, over a second ago.
  case outdated
  case unseen
}

/// Caches the grants of tokens for one second.
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

  func record(
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

  /// Asks the store for the grant of a token. Nil for an invalid token. May block.
  func grant(
    of token: BearerToken, by verifier: any TokenVerifier, at now: ContinuousClock.Instant = .now
  ) throws(Problem) -> TokenGrant? {
    let grant = try Problem.mapping(verifier.grant(of: token.secret))
    record(grant, for: token.digest, at: now)
    return grant
  }
}
