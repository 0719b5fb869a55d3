package import Catalogue
package import HTTP

/// Everything that requests are answered from: the catalogue, the page, the files. There is one for the
/// process.
///
///     let app = App(catalogue: BuiltIn.catalogue(...), files: files, pages: pages)
///     app.answer(Request(.get, "/window?strip=albums&offset=1200"))
package final class App: Handler {
  let catalogue: any StripCatalogue
  let editor: (any StripEditor)?
  let pages: PageFile
  let interfaceFile: InterfaceFile?
  let router: Router<RouteContext>
  let origins: CrossOrigin
  let freshness: Freshness
  let version: String
  let encoder: (any ContentEncoder)?
  let readiness: @Sendable () -> Readiness
  let metrics: Metrics
  let feed: RevisionFeed
  let windows: WindowCache
  let views: ViewCache
  /// The headers of windows at the newest revision, and at a pinned one; then of both where reading is
  /// closed.
  let windowHeaders: [HeaderTemplate]
  /// Who may read; nil where everyone may.
  let authorizer: ReadAuthorizer?
  let tokens = TokenCache()

  // What may block waits on these queues. Each is bounded, so that a flood of one kind of requests does not
  // delay the others.
  /// Reads of the store.
  let reads = WorkQueue<Never>(width: 8)
  /// Changes, by strip: in order for one strip, side by side for as many strips as the store allows.
  let changes: WorkQueue<String>
  /// Checks of tokens that were never valid.
  let newTokens = WorkQueue<Never>(width: 1)
  /// Searches for pools: at most 16 different ones wait.
  let searches = WorkQueue<PoolSearch.Key>(width: 1, keyLimit: 16, priority: .lowest)
  /// The making of views and facets: at most 64 different ones wait.
  let viewWork = WorkQueue<ViewWork.Key>(width: 1, keyLimit: 64, priority: .lowest)
  /// The same for strips whose columns another thread builds, so that views of other strips do not wait.
  let columnWaits = WorkQueue<ViewWork.Key>(width: 1, keyLimit: 64, priority: .lowest)
  /// How long a request waits for a view.
  let viewWait: Duration

  /// - Parameters:
  ///   - editor: makes changes; nil if nothing can be changed, so that no token is valid.
  ///   - files: answers what no route does; nil if there is no folder.
  ///   - pages: the demo page.
  ///   - interface: the content of `/openapi.json`; nil if there is none.
  ///   - freshness: how long caches may keep a response without a pinned revision.
  ///   - admission: knows who may read which strip; nil if everyone may read all.
  ///   - version: the program's. The page adds it to its requests, so that no response of an older version
  ///     is used after an upgrade.
  ///   - encoder: compresses responses; nil to send them as they are.
  ///   - viewMemory: how many bytes cached views take, about.
  ///   - viewWait: how long a request waits for a view. It is 503 after that.
  ///   - metrics: the content of `/metrics`.
  ///   - readiness: the answer of `/readyz`.
  package init(
    catalogue: any StripCatalogue, editor: (any StripEditor)? = nil, files: (any Handler)?,
    pages: PageFile, interface: InterfaceFile? = nil,
    origins: CrossOrigin = CrossOrigin(.any), freshness: Freshness = .revalidate,
    admission: (any TokenVerifier)? = nil,
    version: String = "", encoder: (any ContentEncoder)? = nil,
    viewMemory: Int = 256 << 20, viewWait: Duration = ViewWork.longestWait,
    metrics: Metrics = Metrics(),
    readiness: @escaping @Sendable () -> Readiness = { .ready }
  ) {
    self.catalogue = catalogue
    self.editor = editor
    self.pages = pages
    interfaceFile = interface
    router = Router(App.routes, otherwise: files.map { VisitedFiles(files: $0, pages: pages) })
    self.origins = origins
    self.freshness = freshness
    self.version = version
    self.encoder = encoder
    self.metrics = metrics
    self.readiness = readiness
    feed = RevisionFeed(catalogue)
    windows = WindowCache()
    views = ViewCache(limit: viewMemory)
    self.viewWait = viewWait
    windowHeaders = [false, true].flatMap { isPrivate in
      [false, true].map { isPinned in
        App.headers(
          "application/json", freshness: freshness, origins: origins, isPinned: isPinned,
          isPrivate: isPrivate)
      }
    }
    authorizer = admission.map { [tokens] in ReadAuthorizer(verifier: $0, tokens: tokens) }
    changes = WorkQueue(width: editor?.width ?? 1)
    addMetrics()
  }

  package func answer(_ request: Request) -> Answer {
    origins.answer(request) { router.answer($0, in: RouteContext(app: self)) }
  }

  package func answer(beforeBodyOf request: Request) -> Answer {
    guard !request.method.isRead else { return .response(.continue) }
    return origins.answer(request) {
      router.answer($0, in: RouteContext(app: self, isBeforeBody: true))
    }
  }

  package func bodyLimit(after head: Head) -> Int? { router.bodyLimit(after: head) }

  package func fields(rejecting head: PartialHead) -> [Field] {
    origins.fields(rejecting: head)
  }
}

/// How long caches may keep a response at the newest revision, as `Cache-Control`.
package enum Freshness: Sendable {
  /// A cache revalidates it for each request.
  case revalidate
  /// A shared cache uses it for so many seconds, and for as many again while it revalidates.
  case seconds(Int)

  /// The seconds for which a cache may use it without a request; nil for none.
  var staleness: Int? {
    if case .seconds(let seconds) = self { seconds } else { nil }
  }

  /// - Parameters:
  ///   - isPinned: whether the response never changes.
  ///   - isPrivate: whether it is for one bearer alone, so that no shared cache may store it.
  func cacheControl(isPinned: Bool, isPrivate: Bool) -> String {
    switch (isPrivate, isPinned, self) {
    case (false, true, _): "public, max-age=31536000, immutable"
    case (true, true, _): "private, max-age=31536000, immutable"
    case (true, false, _): "private, no-cache"
    case (false, false, .revalidate): "no-cache"
    case (false, false, .seconds(let seconds)):
      "public, max-age=0, s-maxage=\(seconds), stale-while-revalidate=\(seconds)"
    }
  }
}
