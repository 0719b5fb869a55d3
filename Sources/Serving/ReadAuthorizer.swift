import Catalogue
import HTTP
import Synchronization

/// Who may read, where reading is closed: whoever bears a token, the strip that it is for.
///
/// What the store has said of a token holds for a second: so soon a token that is revoked, or over,
/// reads no more.
///
/// - Complexity: a hash and a look in a dictionary; the store's own once a second and token. Memory is
///   bounded: only tokens are kept that there are.
final class ReadAuthorizer: Sendable {
  private struct Known {
    let strip: String
    let asked: ContinuousClock.Instant
  }

  private let admission: any TokenVerifier
  private let known = Mutex<[Digest: Known]>([:])

  private static let lifetime = Duration.seconds(1)
  private static let limit = 4096

  init(_ admission: any TokenVerifier) { self.admission = admission }

  /// The strip that the bearer of `secret` may read; nil for a token that is none.
  ///
  /// - Throws: `.wouldBlock` where the store would have to be asked and there is no mode.
  func strip(
    readBy secret: [UInt8], _ mode: ReadMode, at now: ContinuousClock.Instant = .now
  ) throws(CatalogueError) -> String? {
    let digest = Digest(of: secret)
    if let known = known.withLock({ $0[digest] }), now - known.asked < Self.lifetime {
      return known.strip
    }
    guard mode == .mayBlock else { throw .wouldBlock }
    let strip = try admission.strip(readBy: secret)
    known.withLock { known in
      if known.count >= Self.limit { known.removeAll() }
      known[digest] = strip.map { Known(strip: $0, asked: now) }
    }
    return strip
  }
}

/// Whoever asks a site where reading is closed.
struct ReadToken: Sendable {
  let readers: ReadAuthorizer
  /// The token of the request, if it has one.
  let secret: [UInt8]?

  init(of request: Request, _ readers: ReadAuthorizer) {
    self.readers = readers
    secret = request.bearer.map { Array($0) }
  }

  /// The strip that may be read.
  ///
  /// - Throws: 401 for no token, or one that is none.
  func strip(_ mode: ReadMode) throws(Problem) -> String {
    let strip: String?
    do throws(CatalogueError) {
      strip = try secret.flatMap { secret throws(CatalogueError) in
        try readers.strip(readBy: secret, mode)
      }
    } catch {
      throw Problem(error)
    }
    guard let strip else { throw secret == nil ? .unauthorized("Reading") : .unknownToken }
    return strip
  }

  /// Whether what was begun may go on: not once the store says that the token is none any more. It
  /// waits for the store.
  var isStillAdmitted: Bool {
    do {
      _ = try strip(.mayBlock)
      return true
    } catch {
      return error.status != 401
    }
  }
}

extension Problem {
  /// 401: `what` takes a token.
  static func unauthorized(_ what: String) -> Problem {
    Problem(
      status: 401, detail: "\(what) takes a token: Authorization: Bearer TOKEN.",
      fields: [Field("WWW-Authenticate", #"Bearer realm="carousel""#)])
  }

  /// 401: there is a token, and it is none that the store knows (RFC 6750, 3.1).
  static let unknownToken = Problem(
    status: 401, detail: "The token is unknown: revoked, expired, or never made here.",
    fields: [Field("WWW-Authenticate", #"Bearer realm="carousel", error="invalid_token""#)])

  /// 403: the bearer's token is good, and not for this.
  static let ofAnotherStrip = Problem(status: 403, detail: "The token is for another strip.")
}
