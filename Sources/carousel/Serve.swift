import ArgumentParser
import Catalogue
import Compression
import FoundationEssentials
import HTTP
import HTTPServer
import Logging
import Serving

/// `carousel serve`: strips over HTTP.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve strips over HTTP.",
    discussion: """
      Every option is also an environment variable: --fresh-for is CAROUSEL_FRESH_FOR, --port is \
      CAROUSEL_PORT or PORT. What the command line says goes first.
      """)

  @Option(
    help: "The catalogue: the path of a SQLite file, or postgresql://... Default: built-in strips.")
  var database: String?

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(parsing: .unconditional, help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(
    parsing: .unconditional,
    help: "How many threads answer requests; 0 takes one for each core.")
  var threads = 0

  @Option(name: .customLong("public"), help: "The folder of the page and its files.")
  var publicFolder: String?

  @Option(
    parsing: .unconditional,
    help: "Seconds that a shared cache may answer without asking, unless a revision is given.")
  var freshFor: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time between the revisions of a strip: 2s, 500ms. Edits made meanwhile are one step.",
      discussion: """
        For those who read through a cache, and so share fewer revisions: all servers of one database \
        publish the same ones, at whole multiples of the time. Whoever edits is answered the revision \
        of the edit, and can read it at once by naming it.
        """, valueName: "time"))
  var publishEvery: DurationArgument?

  @Flag(
    help: ArgumentHelp(
      "Let only those read a strip who bear a token of it: Authorization: Bearer TOKEN.",
      discussion: """
        For servers that fetch windows for their own readers, and for proxies that add the token. A \
        page cannot: neither an image nor a stream of events in a page has such a header.
        """))
  var closed = false

  @Option(help: "An origin whose pages may fetch from here; may be given again. Default: any.")
  var origin: [String] = []

  @Option(
    parsing: .unconditional,
    help: "MB of memory that the strips may take which are held; others are read again.")
  var stripMemory = 512

  @Flag(help: "Write a line of JSON for each request to standard output.")
  var accessLog = false

  @OptionGroup(title: "Limits")
  var limits: ServeLimits

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port must be from 0 to 65535")
    }
    guard (0...256).contains(threads) else {
      throw ValidationError("--threads must be from 0 to 256")
    }
    guard (16...1_048_576).contains(stripMemory) else {
      throw ValidationError("--strip-memory must be from 16 to 1048576 MB")
    }
    if let freshFor, !(0...31_536_000).contains(freshFor) {
      throw ValidationError("--fresh-for must be from 0 to 31536000 seconds")
    }
    for name in origin where !CrossOrigin.isOrigin(name) {
      throw ValidationError(
        "--origin must be as a browser sends it, https://example.org or http://localhost:3000: "
          + "\(name) is not")
    }
    guard !closed || freshFor == nil else {
      throw ValidationError("--fresh-for is for shared caches, which keep nothing with --closed")
    }
    guard !closed || database != nil else {
      throw ValidationError("--closed needs a --database, which has the tokens")
    }
    if let publishEvery, !(.milliseconds(10)...(.seconds(30))).contains(publishEvery.duration) {
      throw ValidationError("--publish-every must be from 10ms to 30s")
    }
  }

  func run() throws {
    let signals = StopSignals.block()
    let logger = Logger(label: "carousel") { StreamLogHandler.standardError(label: $0) }
    for name in Environment.strangers() {
      logger.warning("The environment has \(name), and there is no such option.")
    }
    let loading = Loading(logger: logger)
    let metrics = Metrics(workers: threadCount)
    let (store, editor) = try Database.editable(at: database, memory: stripMemory << 20)
    let catalogue = published(store)
    let site = try site(catalogue, editor, metrics) { loading.readiness }
    let accessLog = accessLog ? AccessLog() : nil
    var options = options
    options.observers = [metrics] + (accessLog.map { [$0] } ?? [])
    if accessLog != nil { options.requestIDs = RequestIDs() }
    let daemon: Server
    do throws(ServerError) {
      daemon = try Server(options, handler: site) { logger.warning("\($0)") }
    } catch {
      throw Failure(error)
    }
    daemon.addMetrics(to: metrics)
    metrics.addProcess(version: Version.current)
    let shownHost = host.contains(":") ? "[\(host)]" : host
    let address = "http://\(shownHost):\(daemon.port)/"
    loading.start(catalogue, at: address) {
      try? StandardOutput.write(line: "Serving on \(address)")
    }
    signals.wait()
    let end = ContinuousClock.now + .milliseconds(7700)
    loading.stop()
    // What then is cut off, and the log's last lines, take less than a second.
    daemon.stop(grace: .seconds(7))
    let closing = editor.map(Closing.init)
    accessLog?.finish(within: .milliseconds(300))
    closing?.wait(until: end)
  }

  private var options: ServerOptions {
    var options = ServerOptions()
    options.host = host
    options.port = port
    options.threads = threadCount
    options.listeningSocket = SocketActivation.socket()
    limits.apply(to: &options)
    return options
  }

  private var threadCount: Int {
    threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
  }

  /// `store` as those see it who read without naming a revision.
  private func published(_ store: any StripCatalogue) -> any StripCatalogue {
    guard let publishEvery else { return store }
    return PublishedCatalogue(store, every: publishEvery.duration, memory: stripMemory << 20) {
      .microseconds(WallClock.now)
    }
  }

  private func site(
    _ catalogue: any StripCatalogue, _ editor: (any StripEditor & TokenVerifier)?,
    _ metrics: Metrics,
    readiness: @escaping @Sendable () -> Readiness
  ) throws -> App {
    let folder = try PublicFolder.path(publicFolder)
    let origins = CrossOrigin(origin.isEmpty ? .any : .only(origin))
    return App(
      catalogue: catalogue, editor: editor,
      files: try StaticFiles(
        at: folder, adding: origins.fieldsForAnyOrigin, toPages: [SecurityPolicy.ofFiles],
        encoder: Compressor.files),
      pages: PageFile(path: folder + "/index.html"),
      interface: InterfaceFile(path: folder + "/openapi.json"), origins: origins,
      freshness: freshFor.map(Freshness.seconds) ?? .revalidate, admission: closed ? editor : nil,
      version: Version.current,
      encoder: Compressor.responses, metrics: metrics, readiness: readiness)
  }
}
