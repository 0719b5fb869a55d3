import Catalogue
import HTTP

/// Whether a request may wait for the store.
enum ReadMode: Sendable {
  /// Reads only data in memory: on a thread that answers requests.
  case cachedOnly
  /// Also reads the store: on a thread of a work queue.
  case mayBlock
}

/// The result of a handler: the response, or the work that another thread must do first.
enum ReadOutcome {
  case response(Response)
  case needs(Prerequisite)
}

/// Work that a thread of a work queue does. The handler then runs again.
enum Prerequisite {
  /// Data that is not in memory.
  case store
  case pools(PoolSearch)
  case view(ViewWork)
  case verification(ReadToken)
}

/// What one request may read, and whether it may wait for it.
struct ReadContext: Sendable {
  let app: App
  let mode: ReadMode
  /// The bearer of a token; nil where everyone may read everything.
  var holder: TokenHolder?
  /// Whether the handler runs again, after the work that it needed.
  var isRetry = false
  /// Whether a search for pools and the making of a view may run on this thread, which then takes up to
  /// seconds.
  var searchesPools = false
  /// The view or facets that were made for this request.
  var product: ViewWork.Product?

  /// A strip at a revision: nil stands for the first strip, and for the newest revision.
  ///
  /// - Returns: nil if the edition is not in memory and the request must not wait.
  /// - Throws: 403 for a strip that is not the bearer's.
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

  /// Reads a strip at a revision with `body`.
  ///
  /// A strip without a given revision can be replaced during the read. It is then read again, at its new
  /// revision.
  ///
  /// - Parameter view: `body` gets this view of the strip.
  func read(
    _ strip: String?, at revision: Int64?, view: ViewQuery = ViewQuery(),
    _ body: (Edition) throws(Problem) -> ReadOutcome
  ) throws(Problem) -> ReadOutcome {
    var attempts = 0
    while true {
      guard let edition = try edition(of: strip, at: revision) else { return .needs(.store) }
      do {
        switch try self.view(view, of: edition) {
        case .ready(let edition): return try body(edition)
        case .needs(let need): return .needs(need)
        }
      } catch {
        guard error.status == 410, revision == nil, attempts < 8 else { throw error }
        guard mode == .mayBlock else { return .needs(.store) }
        attempts += 1
        try refresh(edition.name)
      }
    }
  }

  private func refresh(_ strip: String) throws(Problem) {
    do {
      try app.catalogue.refresh(strip)
    } catch {
      throw Problem(error)
    }
  }

  /// Strips without their items, in the order in which they were made: only the bearer's, if there is one.
  ///
  /// - Precondition: The request may wait.
  func summaries(after: String?, limit: Int) throws(Problem) -> [StripSummary] {
    precondition(mode == .mayBlock, "A list of strips is read from the store.")
    if let holder {
      guard after == nil || after == holder.strip else { throw .ofAnotherStrip }
      do {
        guard after == nil, let edition = try edition(of: holder.strip) else { return [] }
        return [StripSummary(edition)]
      } catch {
        // A token can be older than its strip.
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

  /// The response to a read: the bytes with a strong tag, or 304 if the client has them.
  ///
  /// - Parameters:
  ///   - isPinned: whether the request named a revision, so that the response never changes.
  ///   - header: a request header that the response depends on.
  func response(
    _ bytes: [UInt8], as type: String = "application/json", isPinned: Bool, to request: Request,
    fields: [Field] = [], varyingBy header: String? = nil
  ) throws(Problem) -> Response {
    let headers = App.headers(
      type, fields, freshness: app.freshness, origins: app.origins, isPinned: isPinned,
      isPrivate: holder != nil, varyingBy: header)
    return try Representation(bytes, headers, encoder: app.encoder).answer(to: request)
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
