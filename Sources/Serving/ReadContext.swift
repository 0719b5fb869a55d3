import Catalogue
import HTTP
import Windowing

/// Whether a request may wait for the store.
enum ReadMode: Sendable {
  /// Reads only memory. Threads that answer requests use this mode.
  case cachedOnly
  /// Also reads the store. Threads of a work queue use this mode.
  case mayBlock
}

/// Gives a step of a request access to strips, within the request's rights and its read mode.
struct ReadContext: Sendable {
  let app: App
  var mode = ReadMode.cachedOnly
  /// The bearer of the request's token. Nil if reading needs no token.
  var holder: TokenHolder?
  /// Whether this thread may search for pools and compute views, which can take seconds.
  var mayCompute = false

  /// Finds a strip at a revision.
  ///
  /// - Parameters:
  ///   - strip: the name of the strip. Nil for the first strip, or the strip of the token.
  ///   - revision: nil for the newest revision.
  /// - Returns: nil if the edition is not in memory and the mode is `cachedOnly`.
  /// - Throws: 403 if the token is for another strip; the catalogue's errors as a ``Problem``.
  func edition(of strip: String?, at revision: Int64? = nil) throws(Problem) -> Edition? {
    if let holder, let strip, holder.strip != strip { throw .ofAnotherStrip }
    let name = strip ?? holder?.strip
    do throws(CatalogueError) {
      return switch mode {
      case .cachedOnly: try app.catalogue.cachedEdition(of: name, at: revision)
      case .mayBlock: try app.catalogue.edition(of: name, at: revision)
      }
    } catch {
      throw Problem(error)
    }
  }

  /// Reads a strip at a revision with `body`. A deferred request begins here again, not at the start
  /// of its handler.
  ///
  /// If `revision` is nil, another revision can replace the strip during the read. Then this
  /// function reads the strip again, at its new revision, up to eight times.
  ///
  /// - Parameter query: the view of the strip that `body` gets.
  func read(
    _ strip: String?, at revision: Int64?, view query: ViewQuery = ViewQuery(),
    _ body: @escaping @Sendable (Edition, ReadContext) throws(Problem) -> StepOutcome
  ) throws(Problem) -> StepOutcome {
    // A closure that most requests do not need is made only when one needs it.
    func again() -> Step {
      { context throws(Problem) in try context.read(strip, at: revision, view: query, body) }
    }
    var attempts = 0
    while true {
      guard let base = try edition(of: strip, at: revision) else {
        return .needs(.store, then: again())
      }
      do {
        guard let edition = try view(query, of: base) else {
          return .needs(.view(PendingView(query, of: base)), then: again())
        }
        switch try body(edition, self) {
        case .needs(let need, then: nil): return .needs(need, then: again())
        case let outcome: return outcome
        }
      } catch {
        guard error.status == 410, revision == nil, attempts < 8 else { throw error }
        guard mode == .mayBlock else { return .needs(.store, then: again()) }
        attempts += 1
        try refresh(base.name)
      }
    }
  }

  /// The pools of a stretch. Nil if the search needs another thread.
  func pools(of edition: Edition, _ layout: Layout, stretch: Length) -> Pools? {
    mayCompute
      ? edition.pools.pools(of: layout, stretch: stretch)
      : edition.pools.cachedPools(of: layout, stretch: stretch)
  }

  private func refresh(_ strip: String) throws(Problem) {
    do {
      try app.catalogue.refresh(strip)
    } catch {
      throw Problem(error)
    }
  }

  /// The summaries of strips, in the order of their creation. The bearer of a token gets only the
  /// strip of the token.
  ///
  /// - Returns: nil if the mode is `cachedOnly`.
  func summaries(after: String?, limit: Int) throws(Problem) -> [StripSummary]? {
    guard mode == .mayBlock else { return nil }
    if let holder {
      guard after == nil || after == holder.strip else { throw .ofAnotherStrip }
      do {
        guard after == nil, let edition = try edition(of: holder.strip) else { return [] }
        return [StripSummary(edition)]
      } catch {
        // A token can exist before its strip.
        guard error.status == 404 else { throw error }
        return []
      }
    }
    do {
      return try app.catalogue.summaries(after: after, limit: limit)
    } catch {
      var problem = Problem(error)
      if problem.status == 404 { problem.parameter = "after" }
      throw problem
    }
  }

  /// The response to a read: the bytes with a strong entity tag, or 304 if the client has them.
  ///
  /// - Parameters:
  ///   - isPinned: whether the request named a revision, so that the response never changes.
  ///   - header: a request header that the response depends on.
  ///   - revision: the revision of a resource that clients change. `If-Match` of a change accepts the tag.
  func response(
    _ bytes: [UInt8], as type: String = "application/json", isPinned: Bool, to request: Request,
    of revision: Int64? = nil, fields: [Field] = [], varyingBy header: String? = nil
  ) throws(Problem) -> Response {
    let headers = App.headers(
      type, fields, freshness: app.freshness, origins: app.origins, isPinned: isPinned,
      isPrivate: holder != nil, varyingBy: header)
    return try Representation(bytes, headers, revision: revision, encoder: app.encoder).answer(
      to: request)
  }
}

extension App {
  /// The headers of all responses of a media type.
  static func headers(
    _ type: String, _ fields: [Field] = [], freshness: Freshness, origins: CrossOrigin,
    isPinned: Bool, isPrivate: Bool, varyingBy header: String? = nil
  ) -> HeaderTemplate {
    let cacheControl = freshness.cacheControl(isPinned: isPinned, isPrivate: isPrivate)
    return HeaderTemplate(
      type, [Field("Cache-Control", cacheControl)] + origins.fieldsForAnyOrigin + fields,
      varying: [isPrivate ? "Authorization" : nil, header].compactMap(\.self))
  }
}

extension Field {
  static let noStore = Field("Cache-Control", "no-store")
}
