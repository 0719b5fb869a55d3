package import Catalogue
package import HTTP
package import Items

/// Answers requests from the catalogue, the demo page and the static files. A process has one.
///
///     let app = App(catalogue: BuiltIn.catalogue(...), files: files, pages: pages)
///     app.handle(Request(.get, "/window?strip=albums&offset=1200"))
package final class App: Handler {
  let catalogue: any StripCatalogue
  let editor: (any StripEditor)?
  let undoLimit: Int
  let pages: PageFile
  let openAPIDocument: Representation?
  let router: Router<RouteContext>
  let origins: CrossOrigin
  let freshness: Freshness
  let version: String
  let encoder: (any ContentEncoder)?
  let readiness: @Sendable () -> Readiness
  let metrics: Metrics
  package let feed: RevisionFeed
  package let windows: WindowCache
  package let viewCache: ViewCache
  /// The headers of a window at the newest revision and at a named one. Then both again for readers with a token.
  let windowHeaders: [HeaderTemplate]
  /// Nil if reading needs no token.
  let authorizer: ReadAuthorizer?
  package let tokens = TokenCache()

  // Work that may block runs on these queues. Each is bounded, so a flood of one kind of request
  // does not delay other kinds.
  /// Requests for one strip that is not in memory run one at a time: the first one loads it.
  package let io = WorkQueue<String>(threads: 8)
  /// Changes. Those of one strip run in order, those of different strips concurrently.
  let changes: WorkQueue<String>
  /// Checks of tokens that the cache does not know.
  let authentication = WorkQueue<Never>(threads: 1)
  /// Reads files outside the store. It is a queue of its own, so that a slow store delays neither metrics nor error pages.
  let disk = WorkQueue<Never>(threads: 4, limit: 4096)
  /// Compresses large bodies.
  let compressions: WorkQueue<Never>
  package let layout = WorkQueue<PendingLayout>(threads: 1, keyLimit: 16, priority: .lowest)
  /// Computes views and facets.
  package let views = WorkQueue<PendingView.Key>(threads: 1, keyLimit: 64, priority: .lowest)
  /// Computes views and facets of strips whose columns another thread is building. On `views` the wait for
  /// the columns would delay other strips.
  let columns = WorkQueue<PendingView.Key>(threads: 1, keyLimit: 64, priority: .lowest)
  /// The longest time that a request waits for a view, facets or pools.
  let viewWait: Duration
  /// The default of `viewWait`. Most proxies wait for 60 seconds.
  package static let longestWait = Duration.seconds(10)

  /// - Parameters:
  ///   - editor: nil for a read-only catalogue: every change is then 401.
  ///   - undoLimit: the most bytes of an undo: the server's limit of a body, so that it can be sent.
  ///   - files: serves the paths that match no route.
  ///   - openAPI: the file that describes the interface. `version` replaces `{{version}}` in it.
  ///   - announceEvery: the seconds between two announced revisions of a strip; nil to announce each.
  ///   - tokenVerifier: nil if reading needs no token.
  ///   - version: the version of the program. The page adds it to its requests. So a browser uses
  ///     no cached response of an older version.
  ///   - compressions: also compresses the files.
  ///   - viewMemory: the most bytes of cached views, approximately.
  package init(
    catalogue: any StripCatalogue, editor: (any StripEditor)? = nil, undoLimit: Int = 1 << 20,
    files: (any Handler)?, pages: PageFile, openAPI: String? = nil,
    origins: CrossOrigin = CrossOrigin(.any), freshness: Freshness = .revalidate,
    announceEvery: Int? = nil,
    tokenVerifier: (any TokenVerifier)? = nil,
    version: String = "", encoder: (any ContentEncoder)? = nil,
    viewMemory: Int = 256 << 20, viewWait: Duration = App.longestWait,
    compressions: WorkQueue<Never> = WorkQueue(threads: 1), metrics: Metrics = Metrics(),
    readiness: @escaping @Sendable () -> Readiness = { .ready }
  ) {
    self.catalogue = catalogue
    self.editor = editor
    self.undoLimit = undoLimit
    self.pages = pages
    openAPIDocument = openAPI.map { text in
      let headers = App.headers(
        "application/json", freshness: freshness, origins: origins, isImmutable: false,
        isPrivate: false)
      return Representation(
        Array(text.replacing("{{version}}", with: version).utf8), headers, encoder: encoder,
        isReused: true)
    }
    router = Router(
      App.routes,
      otherwise: files.map { [disk] in FilesWithErrorPages(files: $0, pages: pages, disk: disk) })
    self.origins = origins
    self.freshness = freshness
    self.version = version
    self.encoder = encoder
    self.metrics = metrics
    self.readiness = readiness
    feed = RevisionFeed(catalogue, every: announceEvery)
    windows = WindowCache()
    viewCache = ViewCache(limit: viewMemory, strips: catalogue.memory)
    self.viewWait = viewWait
    self.compressions = compressions
    windowHeaders = [false, true].flatMap { isPrivate in
      [false, true].map { isImmutable in
        App.headers(
          "application/json", freshness: freshness, origins: origins, isImmutable: isImmutable,
          isPrivate: isPrivate)
      }
    }
    authorizer = tokenVerifier.map { [tokens] in ReadAuthorizer(verifier: $0, tokens: tokens) }
    changes = WorkQueue(threads: editor?.maxConcurrentWrites ?? 1)
  }

  /// The queues, by the names that they have in metrics.
  package var queues: [(name: String, queue: any CountedQueue)] {
    [
      ("io", io), ("disk", disk), ("compressions", compressions), ("changes", changes),
      ("authentication", authentication), ("layout", layout), ("views", views),
      ("columns", columns),
    ]
  }

  package func handle(_ request: Request) -> HandlerResult {
    let context = RouteContext(app: self)
    if Self.isForOperators(request.path) { return router.handle(request, in: context) }
    return origins.handle(request) { router.handle($0, in: context) }
  }

  /// Whether `path` describes the process to operators. No page of another origin may read it.
  private static func isForOperators(_ path: Bytes) -> Bool {
    let isEscaped = path.contains(UInt8(ascii: "%"))
    let path = isEscaped ? path.percentDecoded() ?? path : path
    return path.equals("/livez") || path.equals("/readyz") || path.equals("/metrics")
  }

  package func onHeaders(of request: Request) -> HandlerResult {
    guard !request.method.isRead else { return .response(.continue) }
    return origins.handle(request) {
      router.handle($0, in: RouteContext(app: self, isBeforeBody: true))
    }
  }

  package func largeBody(after head: Head) -> LargeBody? { router.largeBody(after: head) }

  package func fields(rejecting head: PartialHead) -> [Field] {
    origins.fields(rejecting: head)
  }
}

/// How long caches may use a response at the newest revision, as `Cache-Control`.
package enum Freshness: Sendable {
  /// A cache revalidates the response for each request.
  case revalidate
  /// A shared cache uses the response for this time, and for the same time again while it
  /// revalidates.
  case seconds(Int)

  /// In seconds.
  var staleness: Int? {
    if case .seconds(let seconds) = self { seconds } else { nil }
  }

  /// - Parameters:
  ///   - isImmutable: whether the response never changes.
  ///   - isPrivate: whether reading needs a token. Shared caches must not store the response then.
  func cacheControl(isImmutable: Bool, isPrivate: Bool) -> String {
    switch (isPrivate, isImmutable, self) {
    case (false, true, _): "public, max-age=31536000, immutable"
    case (true, true, _): "private, max-age=31536000, immutable"
    case (true, false, _): "private, no-cache"
    case (false, false, .revalidate): "no-cache"
    case (false, false, .seconds(let seconds)):
      "public, max-age=0, s-maxage=\(seconds), stale-while-revalidate=\(seconds)"
    }
  }
}
