import ArgumentParser
import Catalogue
import Compression
import Dispatch
import FoundationEssentials
import Glibc
import HTTP
import HTTPServer
import Items
import Logging
import SQLCatalogue
import Serving
import Synchronization

/// The catalogue of a server, with its editor and handlers.
struct ServedCatalogue {
  var catalogue: any StripCatalogue
  /// Nil if nothing can be changed.
  var editor: (any StripEditor)?
  /// Nil if reading needs no token.
  var verifier: (any TokenVerifier)?
  /// Answers the paths that have no route, from the files of the page or by itself.
  var handler: (_ files: any Handler) -> any Handler = { $0 }
  var addMetrics: (Metrics) -> Void = { _ in }
  /// Runs when the server is ready.
  var start: @Sendable () -> Void = {}
  /// Runs before the store is closed.
  var stop: () -> Void = {}
}

/// The options of all commands that serve.
struct ServeOptions: ParsableArguments {
  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(signed: "The port to listen on; 0 selects a free port.", in: 0...65_535)
  var port = 8080

  @Option(
    signed: "The number of threads that handle requests; 0 is one for each core.", in: 0...256)
  var threads = 0

  @Option(
    help: """
      The folder with the page and its files. (default: Public in the working directory or beside \
      the program, or ../share/carousel beside it)
      """)
  var `public`: String?

  @Option(
    signed: """
      The seconds for which a shared cache may reuse an answer without a revision. (default: it \
      revalidates)
      """, in: 0...31_536_000)
  var freshFor: Int?

  @Option(
    signed: """
      The seconds between two revisions of a strip that event streams announce. Live pages behind a \
      cache then share more answers. (default: at most one a second for each stream)
      """, in: 1...RevisionFeed.longestInterval)
  var announceEvery: Int?

  @Option(
    help: """
      An origin whose pages may read from this server; repeat the option for more. (default: any)
      """)
  var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      A proxy that states the client's address in X-Forwarded-For or Forwarded: addresses or \
      networks, separated by commas. (default: none)
      """, valueName: "cidr"))
  var trustProxy: [NetworkList] = []

  @Option(
    signed: "The size limit of the cache of strips in MB. Strips beyond it are loaded again.",
    in: 16...1_048_576)
  var stripMemory = 512

  @Option(
    signed: "The size limit of the cache of views in MB. Views beyond it are made again.",
    in: 1...1_048_576)
  var viewMemory = 256

  @Option(signed: "The days after which an unused list for views is deleted.", in: 1...36_500)
  var listDays = 30

  @Flag(help: "Write a line of JSON for each request to standard output.")
  var accessLog = false

  @Option(help: "The format of the log on standard error: text or json.")
  var logFormat = LogFormat.text

  @OptionGroup(title: "Limits")
  var limits: ServeLimits

  func validate() throws {
    for name in origin where !CrossOrigin.isOrigin(name) {
      throw ValidationError(
        "--origin must have the form https://example.org or http://localhost:3000, in lower case, "
          + "without a path or a default port: \(name) has not")
    }
  }

  /// Serves until a signal stops it.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - open: opens the catalogue. It gets a function, to call once another file has the database's path.
  func serve(
    _ command: String,
    _ open: (_ logger: Logger, _ onReplacement: @escaping @Sendable () -> Void) throws ->
      ServedCatalogue
  ) throws {
    let logger = logFormat.logger
    do {
      try serve(command, logger, open)
    } catch let error as CatalogueError where logFormat == .json {
      logger.critical("\(error.description)")
      throw ExitCode(error.exitStatus)
    }
  }

  private func serve(
    _ command: String, _ logger: Logger,
    _ open: (_ logger: Logger, _ onReplacement: @escaping @Sendable () -> Void) throws ->
      ServedCatalogue
  ) throws {
    let signals = StopSignals.block()
    for name in EnvironmentOptions.unknown(to: command) {
      logger.warning(
        "The environment variable \(name) matches no option of \(command). It is ignored.")
    }
    ProcessStatus.raiseFileLimit(forConnections: limits.connectionLimit)
    let memoryWatch = MemoryWatch(logger: logger)
    defer { withExtendedLifetime(memoryWatch) {} }
    let loader = CatalogueLoader(logger: logger)
    let metrics = Metrics()
    let isFileReplaced = Atomic(false)
    let served = try open(logger) {
      isFileReplaced.store(true, ordering: .relaxed)
      StopSignals.send()
    }
    let app = try app(served, metrics) { loader.readiness }
    let accessLog = accessLog ? AccessLog() : nil
    var options = options
    options.observers = [metrics] + (accessLog.map { [$0] } ?? [])
    if accessLog != nil { options.requestIDs = RequestIDs() }
    let server: Server
    do throws(ServerError) {
      server = try Server(options, handler: app) { entry in
        logger.log(
          level: entry.level == .error ? .error : .warning, "\(entry.message)",
          metadata: entry.requestID.map { ["request_id": "\($0)"] })
      }
    } catch {
      throw CatalogueError(error)
    }
    metrics.add(server, app, served.catalogue, served.editor)
    served.addMetrics(metrics)
    let shownHost = host.contains(":") ? "[\(host)]" : host
    let address = "http://\(shownHost):\(server.port)/"
    let (start, editor) = (served.start, served.editor)
    loader.start(served.catalogue, at: address) {
      logFormat.announce("Serving on \(address)", logger)
      start()
      editor?.scheduleMaintenance()
    }
    signals.wait()
    loader.stop()
    served.stop()
    stop(server, editor, accessLog)
    if isFileReplaced.load(ordering: .relaxed) { throw ExitCode(EX_TEMPFAIL) }
  }

  /// Stops within 8 seconds. The grace period is for requests and the database.
  private func stop(
    _ server: borrowing Server, _ editor: (any StripEditor)?, _ accessLog: AccessLog?
  ) {
    let deadline = ContinuousClock.now + .milliseconds(7700)
    server.stop(grace: .seconds(7))
    // If the database does not close in time, the next process that opens it finishes the work.
    let closing = DispatchGroup()
    if let editor { DispatchQueue.global().async(group: closing) { editor.close() } }
    accessLog?.finish(within: .milliseconds(300))
    _ = closing.wait(timeout: .now() + max(0, (deadline - .now) / .seconds(1)))
  }

  private var options: ServerOptions {
    var options = ServerOptions()
    options.host = host
    options.port = port
    options.threads = threadCount
    options.listeningSocket = Self.inheritedSocket
    options.proxies = TrustedProxies(trustProxy.flatMap(\.networks))
    limits.apply(to: &options)
    return options
  }

  /// The listening socket that systemd passes: sd_listen_fds(3). It stays open during a restart.
  private static var inheritedSocket: Int32? {
    let variables = ProcessInfo.processInfo.environment
    let count = variables["LISTEN_FDS"].flatMap { Int($0) } ?? 0
    return variables["LISTEN_PID"] == String(getpid()) && count >= 1 ? 3 : nil
  }

  private var threadCount: Int {
    threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
  }

  /// The strips of a database, and their editor.
  func stored(
    _ database: any SQLDatabase, log: @escaping @Sendable (String) -> Void
  ) throws(CatalogueError) -> (catalogue: SQLStripCatalogue, editor: SQLStripEditor) {
    let catalogue = try SQLStripCatalogue(database, memory: stripMemory << 20)
    return (catalogue, SQLStripEditor(catalogue, isServer: true, listDays: listDays, log: log))
  }

  private func app(
    _ served: ServedCatalogue, _ metrics: Metrics, readiness: @escaping @Sendable () -> Readiness
  ) throws -> App {
    let folder = try PublicFolder.path(`public`)
    let origins = CrossOrigin(origin.isEmpty ? .any : .only(origin))
    let compressions = WorkQueue<Never>(threads: 1)
    let files = try StaticFiles(
      at: folder, adding: origins.fieldsForAnyOrigin, toHTML: [ContentSecurityPolicy.ofFiles],
      toXML: [ContentSecurityPolicy.ofXML], encoder: Compressor.files,
      compressing: { compressions.add(nil, $0) })
    return App(
      catalogue: served.catalogue, editor: served.editor, undoLimit: limits.bodyLimit,
      files: served.handler(files),
      pages: PageFile(path: folder + "/index.html"),
      openAPI: try? String(contentsOfFile: folder + "/openapi.json", encoding: .utf8),
      origins: origins,
      freshness: freshFor.map(Freshness.seconds) ?? .revalidate, announceEvery: announceEvery,
      tokenVerifier: served.verifier, version: Version.current,
      encoder: Compressor.responses, viewMemory: viewMemory << 20, compressions: compressions,
      metrics: metrics,
      readiness: readiness)
  }
}

/// Networks as an option, separated by commas.
struct NetworkList: ExpressibleByArgument {
  let networks: [Network]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    networks = parts.compactMap { Network(String($0)) }
    guard networks.count == parts.count else { return nil }
  }
}

enum PublicFolder {
  /// The given folder, or `Public` in the working directory or beside the program, or
  /// /usr/share/carousel for a program in /usr/bin.
  static func path(_ given: String?) throws -> String {
    let candidates = given.map { [$0] } ?? defaults
    let folder = candidates.first { path in
      var isFolder = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
    guard let folder else {
      throw CatalogueError.unavailable(
        "the folder \(candidates.joined(separator: " or ")) does not exist: name the folder with "
          + "index.html with --public")
    }
    return folder
  }

  private static var defaults: [String] {
    let folder = CommandLine.programFolder
    let installed = folder.deletingLastPathComponent().appending(path: "share/carousel")
    return ["Public", folder.appending(path: "Public").path, installed.path]
  }
}
