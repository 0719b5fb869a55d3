package import HTTP
package import Items

/// Everything that a request can be answered from: the catalogue, the page, the files.
///
///     let site = Site(catalogue: BuiltIn.catalogue(...), files: files, pages: pages)
///     site.answer(Request(.get, "/window?strip=albums&offset=1200"))
///
/// A class, so that a request that goes from one function to the next takes one reference along, and
/// not all of these.
package final class Site: Handler {
  let catalogue: any Catalogue
  let editor: (any StripEditor)?
  let changes: ChangeQueue
  let pages: PageFile
  let interfaceFile: InterfaceFile?
  let router: Router<Site>
  let origins: CrossOrigin
  let freshness: Freshness
  let version: String
  let encoder: (any ContentEncoder)?
  let readiness: @Sendable () -> Readiness
  let metrics: Metrics
  let windows: KeptWindows
  let pools: PoolSearches
  let fetches: FetchThreads
  let feed: RevisionFeed
  /// Whether it is asked on a thread that may wait for the catalogue.
  let patience: Patience

  /// - Parameters:
  ///   - editor: what makes changes; nil where nothing can be changed, and so no token is known.
  ///   - files: what answers where no route does; nil where there is no folder.
  ///   - pages: the demo page.
  ///   - interface: what `/openapi.json` says; nil where there is none.
  ///   - freshness: what an answer without a pinned revision says of its keeping.
  ///   - version: the program's, which the page puts into what it asks for, so that an upgrade is
  ///     not answered from an old cache.
  ///   - encoder: what packs answers; nil to send them as they are.
  ///   - metrics: what `/metrics` says.
  ///   - readiness: what `/readyz` says.
  package init(
    catalogue: any Catalogue, editor: (any StripEditor)? = nil, files: (any Handler)?,
    pages: PageFile, interface: InterfaceFile? = nil,
    origins: CrossOrigin = CrossOrigin(.any), freshness: Freshness = .revalidate,
    version: String = "", encoder: (any ContentEncoder)? = nil, metrics: Metrics = Metrics(),
    readiness: @escaping @Sendable () -> Readiness = { .ready }
  ) {
    self.catalogue = catalogue
    self.editor = editor
    self.pages = pages
    interfaceFile = interface
    self.router = Router(Site.routes, otherwise: files)
    self.origins = origins
    self.freshness = freshness
    self.version = version
    self.encoder = encoder
    self.metrics = metrics
    self.readiness = readiness
    self.feed = RevisionFeed(catalogue)
    changes = ChangeQueue()
    windows = KeptWindows()
    pools = PoolSearches()
    fetches = FetchThreads()
    patience = .none
    addMetrics()
  }

  /// `site`, asked with this patience: everything else they share.
  init(_ site: Site, patience: Patience) {
    catalogue = site.catalogue
    editor = site.editor
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
    pools = site.pools
    fetches = site.fetches
    feed = site.feed
    self.patience = patience
  }

  package func answer(_ request: Request) -> Answer {
    origins.answer(request) { router.answer($0, in: self) }
  }
}

/// What an answer at the newest revision says of its keeping, as `Cache-Control`.
package enum Freshness: Sendable {
  /// A cache may keep it, and asks each time whether it still holds.
  case revalidate
  /// A shared cache answers with it for so many seconds, and for as many again while it asks.
  case seconds(Int)

  var cacheControl: String {
    switch self {
    case .revalidate: "no-cache"
    case .seconds(let seconds):
      "public, max-age=0, s-maxage=\(seconds), stale-while-revalidate=\(seconds)"
    }
  }
}
