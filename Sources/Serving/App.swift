package import Catalogue
package import HTTP

/// Everything that a request can be answered from: the catalogue, the page, the files.
///
///     let site = Site(catalogue: BuiltIn.catalogue(...), files: files, pages: pages)
///     site.answer(Request(.get, "/window?strip=albums&offset=1200"))
///
/// A class, so that a request that goes from one function to the next takes one reference along, and
/// not all of these.
package final class App: Handler {
  let catalogue: any StripCatalogue
  let editor: (any StripEditor)?
  /// Whose tokens are to be looked at before their changes wait.
  let applicants: ChangeQueue
  let changes: ChangeQueue
  let pages: PageFile
  let interfaceFile: InterfaceFile?
  let router: Router<App>
  let origins: CrossOrigin
  let freshness: Freshness
  let version: String
  let encoder: (any ContentEncoder)?
  let readiness: @Sendable () -> Readiness
  let metrics: Metrics
  let windows: WindowCache
  /// What windows say beside their bytes: at the newest revision and at a pinned one, then both again
  /// where reading is closed.
  let windowLabels: [HeaderTemplate]
  let pools: PoolSearches
  let fetches: FetchThreads
  let feed: RevisionFeed
  /// Who may read; nil where all may.
  private let readers: ReadAuthorizer?
  /// Who asks, where reading is closed.
  let reader: ReadToken?
  /// Whether it is asked on a thread that may wait for the catalogue.
  let mode: ReadMode
  /// Whether it is asked only if a change may be made, before what it says has come.
  let isAskedFirst: Bool

  /// - Parameters:
  ///   - editor: what makes changes; nil where nothing can be changed, and so no token is known.
  ///   - files: what answers where no route does; nil where there is no folder.
  ///   - pages: the demo page.
  ///   - interface: what `/openapi.json` says; nil where there is none.
  ///   - freshness: what an answer without a pinned revision says of its keeping.
  ///   - admission: what knows who may read which strip; nil where anybody may read all.
  ///   - version: the program's, which the page puts into what it asks for, so that an upgrade is
  ///     not answered from an old cache.
  ///   - encoder: what packs answers; nil to send them as they are.
  ///   - metrics: what `/metrics` says.
  ///   - readiness: what `/readyz` says.
  package init(
    catalogue: any StripCatalogue, editor: (any StripEditor)? = nil, files: (any Handler)?,
    pages: PageFile, interface: InterfaceFile? = nil,
    origins: CrossOrigin = CrossOrigin(.any), freshness: Freshness = .revalidate,
    admission: (any TokenVerifier)? = nil,
    version: String = "", encoder: (any ContentEncoder)? = nil, metrics: Metrics = Metrics(),
    readiness: @escaping @Sendable () -> Readiness = { .ready }
  ) {
    self.catalogue = catalogue
    self.editor = editor
    self.pages = pages
    interfaceFile = interface
    self.router = Router(App.routes, otherwise: files)
    self.origins = origins
    self.freshness = freshness
    self.version = version
    self.encoder = encoder
    self.metrics = metrics
    self.readiness = readiness
    self.feed = RevisionFeed(catalogue)
    readers = admission.map { ReadAuthorizer($0) }
    reader = nil
    applicants = ChangeQueue(width: 1)
    changes = ChangeQueue(width: editor?.width ?? 1)
    windows = WindowCache()
    windowLabels = [false, true].flatMap { isPrivate in
      [false, true].map { isPinned in
        App.labels(
          "application/json", freshness: freshness, origins: origins, isPinned: isPinned,
          isPrivate: isPrivate)
      }
    }
    pools = PoolSearches()
    fetches = FetchThreads()
    mode = .cachedOnly
    isAskedFirst = false
    addMetrics()
  }

  /// `site`, asked with this mode by this reader: everything else they share.
  init(_ site: App, mode: ReadMode, reader: ReadToken?, isAskedFirst: Bool = false) {
    catalogue = site.catalogue
    editor = site.editor
    applicants = site.applicants
    changes = site.changes
    pages = site.pages
    interfaceFile = site.interfaceFile
    router = site.router
    origins = site.origins
    freshness = site.freshness
    version = site.version
    encoder = site.encoder
    readiness = site.readiness
    metrics = site.metrics
    windows = site.windows
    windowLabels = site.windowLabels
    pools = site.pools
    fetches = site.fetches
    feed = site.feed
    readers = site.readers
    self.mode = mode
    self.reader = reader
    self.isAskedFirst = isAskedFirst
  }

  package func answer(_ request: Request) -> Answer {
    guard let readers else { return origins.answer(request) { router.answer($0, in: self) } }
    let site = App(self, mode: mode, reader: ReadToken(of: request, readers))
    return origins.answer(request) { router.answer($0, in: site) }
  }

  package func answer(beforeBodyOf request: Request) -> Answer {
    guard !request.method.isRead else { return .response(.continue) }
    let site = App(self, mode: mode, reader: reader, isAskedFirst: true)
    return origins.answer(request) { router.answer($0, in: site) }
  }

  package func fields(rejecting head: PartialHead) -> [Field] {
    origins.fields(rejecting: head)
  }

  /// This site, asked by itself, who may read all.
  var open: App { App(self, mode: mode, reader: nil) }
}

/// What an answer at the newest revision says of its keeping, as `Cache-Control`.
package enum Freshness: Sendable {
  /// A cache may keep it, and asks each time whether it still holds.
  case revalidate
  /// A shared cache answers with it for so many seconds, and for as many again while it asks.
  case seconds(Int)

  /// How old, in seconds, a cache may let an answer be that it gives without asking.
  var staleness: Int? {
    if case .seconds(let seconds) = self { seconds } else { nil }
  }

  /// - Parameters:
  ///   - isPinned: whether the answer never changes.
  ///   - isPrivate: whether it is for who asked alone, so that no shared cache may keep it.
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
