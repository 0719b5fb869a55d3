import Catalogue
import HTTP
import Items
import Views

/// The role of a thread that runs requests. It decides what a request may do on this thread.
enum ThreadRole {
  /// A worker of the server, which handles many connections: it reads memory and never waits.
  case worker
  /// Waits for the store.
  case store
  /// Waits for the store, and loads a strip. In a server, only this role waits for a strip that is being loaded, but for
  /// a refresh.
  case loader
  /// Computes layouts and pools from memory, which can take a second.
  case layout
  /// Waits for the store, and computes views, which can take seconds.
  case views
  /// Does all of it, for a command.
  case command

  var readMode: ReadMode { self == .worker || self == .layout ? .cachedOnly : .mayBlock }
  var mayLoad: Bool { self == .loader || self == .command }
  var mayCompute: Bool { self == .layout || self == .views || self == .command }
}

/// A request that reads, with access to strips within its rights and its read mode.
struct ReadContext: Sendable {
  let app: App
  let request: Request
  var path = PathValues()
  var thread = ThreadRole.worker
  /// Nil if reading needs no token.
  var principal: Principal?
  /// Whether the request names a revision, so that its response never changes.
  var isImmutable = false
  /// Whether the request has waited for a revision that this server had not read.
  var hasWaited = false

  /// The context of a command: it has no request, and may block and compute.
  static func ofCommand(in app: App) -> ReadContext {
    ReadContext(app: app, request: Request(.get, "/"), thread: .command, hasWaited: true)
  }

  var mode: ReadMode { thread.readMode }

  /// - Parameters:
  ///   - strip: nil for the first strip, or the strip of the token.
  ///   - revision: nil for the newest one.
  /// - Returns: the snapshot, or nil and the reason to wait.
  /// - Throws: 403 if the token is for another strip.
  func snapshot(
    of strip: String?, at revision: Int64? = nil
  ) throws(Problem) -> (snapshot: Snapshot?, reason: WaitReason) {
    if let principal, let strip, principal.strip != strip { throw .ofAnotherStrip }
    let name = strip ?? principal?.strip
    do throws(CatalogueError) {
      let found =
        thread.mayLoad
        ? try app.catalogue.snapshot(of: name, at: revision)
        : try app.catalogue.cachedSnapshot(of: name, at: revision)
      return (found, .snapshot(of: name))
    } catch {
      guard case .revisionNotLoaded(let missing) = error, !hasWaited else { throw Problem(error) }
      return (nil, .revision(missing, of: name))
    }
  }

  /// Reads a strip, or a view of it, with `body`. A deferred request begins here again, not at the
  /// start of its handler.
  ///
  /// If `revision` is nil, another revision can replace the strip during the read. The read then
  /// begins again with the new one, up to eight times.
  func withSnapshot(
    of strip: String?, at revision: Int64?, view query: ViewQuery = ViewQuery(),
    _ body: @escaping @Sendable (Snapshot, ReadContext) throws(Problem) -> Outcome
  ) throws(Problem) -> Outcome {
    // A function, because most requests need no closure: only a request that is suspended makes it.
    func retry() -> Continuation {
      { context throws(Problem) in
        try context.withSnapshot(of: strip, at: revision, view: query, body)
      }
    }
    var context = self
    context.isImmutable = revision != nil
    var attempts = 0
    while true {
      let (found, reason) = try snapshot(of: strip, at: revision)
      guard let base = found else { return .suspended(on: reason, then: retry()) }
      do {
        guard let snapshot = try view(query, of: base) else {
          return .suspended(on: .view(PendingView(query, of: base)), then: retry())
        }
        switch try body(snapshot, context) {
        case .suspended(on: let reason, then: nil): return .suspended(on: reason, then: retry())
        case let outcome: return outcome
        }
      } catch {
        guard error.status == 410, revision == nil, attempts < 8 else { throw error }
        // A refresh can read a long layout, so one thread waits for each strip: the loader. The thread of views refreshes
        // too: items that are gone show themselves only while a view is computed, and the loader computes none.
        guard thread.mayLoad || thread == .views else {
          return .suspended(on: .snapshot(of: base.name), then: retry())
        }
        attempts += 1
        try Problem.mapping(app.catalogue.refresh(base.name))
      }
    }
  }

  /// Strips in the order of their creation. The bearer of a token gets only the strip of the token.
  ///
  /// - Returns: the strips, or nil and the reason to wait.
  func summaries(
    after: String?, limit: Int
  ) throws(Problem) -> (strips: [StripSummary]?, reason: WaitReason) {
    guard let principal else {
      guard mode == .mayBlock else { return (nil, .store) }
      do throws(CatalogueError) {
        return (try app.catalogue.summaries(after: after, limit: limit), .store)
      } catch {
        throw Problem(error, parameter: "after")
      }
    }
    guard after == nil || after == principal.strip else { throw .ofAnotherStrip }
    guard after == nil else { return ([], .store) }
    do throws(Problem) {
      let (snapshot, reason) = try snapshot(of: principal.strip)
      return (snapshot.map { [StripSummary($0)] }, reason)
    } catch {
      // A token can exist before its strip.
      guard error.status == 404 else { throw error }
      return ([], .store)
    }
  }

  /// The response: the bytes with a strong entity tag, or 304 if the client has them.
  ///
  /// - Parameters:
  ///   - revision: the revision of a resource that clients change. `If-Match` of a change accepts the tag.
  ///   - header: a request header that the response depends on.
  func response(
    _ bytes: [UInt8], as type: String = "application/json", of revision: Int64? = nil,
    fields: [Field] = [], varyingBy header: String? = nil
  ) throws(Problem) -> Outcome {
    let headers = App.headers(
      type, fields, freshness: app.freshness, origins: app.origins, isImmutable: isImmutable,
      isPrivate: principal != nil, varyingBy: header)
    return try response(
      Representation(bytes, headers, revision: revision, encoder: app.encoder))
  }

  /// The bytes from which compression takes too long for a thread that has other requests: 3 ms with
  /// gzip, 20 ms with Brotli.
  private static let largeCount = 256 * 1024

  /// The response, or 304. A large body is compressed on another thread.
  func response(_ representation: Representation) throws(Problem) -> Outcome {
    guard representation.count > Self.largeCount, representation.compresses(for: request)
    else { return .response(try representation.response(to: request)) }
    return .suspended(on: .compression) { context throws(Problem) in
      .response(try representation.response(to: context.request))
    }
  }
}

extension Snapshot {
  /// - Returns: nil if `mode` is `.cachedOnly` and memory does not have the indices.
  /// - Throws: 404 if there is no such item.
  func index(of id: String, _ mode: ReadMode) throws(Problem) -> Int? {
    guard mode == .mayBlock || source.hasIndicesInMemory else { return nil }
    if let index = try Problem.mapping(source.index(of: id)) { return index }
    let owner = view == nil ? "The strip \(name)" : "This view of the strip \(name)"
    throw .notFound("\(owner) has no item \(id).", parameter: "item")
  }

  /// Reads items as `ItemSource.read` does.
  func read(
    _ range: Range<Int>, _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(Problem) -> Bool {
    try Problem.mapping(source.read(range, mode, body))
  }
}

extension App {
  /// The headers of all responses of a media type.
  static func headers(
    _ type: String, _ fields: [Field] = [], freshness: Freshness, origins: CrossOrigin,
    isImmutable: Bool, isPrivate: Bool, varyingBy header: String? = nil
  ) -> HeaderTemplate {
    let cacheControl = freshness.cacheControl(isImmutable: isImmutable, isPrivate: isPrivate)
    return HeaderTemplate(
      type, [Field("Cache-Control", cacheControl)] + origins.fieldsForAnyOrigin + fields,
      varying: [isPrivate ? "Authorization" : nil, header].compactMap(\.self))
  }
}

extension Problem {
  /// The value of `work`. An error of the catalogue becomes a problem, of `parameter` if there is one.
  @inline(__always)
  static func mapping<Value>(
    _ work: @autoclosure () throws(CatalogueError) -> Value, parameter: String? = nil
  ) throws(Problem) -> Value {
    do {
      return try work()
    } catch {
      throw Problem(error, parameter: parameter)
    }
  }
}

extension Field {
  static let noStore = Field("Cache-Control", "no-store")
}
