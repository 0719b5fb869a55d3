internal import ArgumentParser
internal import Compression
internal import FoundationEssentials
internal import HTTP
internal import HTTPDaemon
internal import Items
internal import Logging
internal import Serving
internal import Synchronization

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

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(help: "How many threads answer requests; 0 takes one for each core.")
  var threads = 0

  @Option(name: .customLong("public"), help: "The folder of the page and its files.")
  var publicFolder: String?

  @Option(
    help: "Seconds that a shared cache may answer without asking, unless a revision is given.")
  var freshFor: Int?

  @Option(help: "An origin whose pages may fetch from here; may be given again. Default: any.")
  var origin: [String] = []

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
    if let freshFor, !(0...31_536_000).contains(freshFor) {
      throw ValidationError("--fresh-for must be from 0 to 31536000 seconds")
    }
  }

  func run() throws {
    let signals = StopSignals.block()
    let isReady = Readiness()
    let metrics = Metrics(workers: threadCount)
    let site = try site(metrics) { isReady.value }
    let accessLog = accessLog ? AccessLog() : nil
    var options = options
    options.observers = [metrics] + (accessLog.map { [$0] } ?? [])
    let logger = Logger(label: "carousel") { StreamLogHandler.standardError(label: $0) }
    let daemon: Daemon
    do throws(DaemonError) {
      daemon = try Daemon(options, handler: site) { logger.warning("\($0)") }
    } catch {
      throw Failure(error)
    }
    daemon.addMetrics(to: metrics)
    metrics.addProcess(version: Version.current)
    let shownHost = host.contains(":") ? "[\(host)]" : host
    try StandardOutput.write(line: "Serving on http://\(shownHost):\(daemon.port)/")
    signals.wait()
    isReady.end()
    daemon.stop(grace: .seconds(8))
    accessLog?.finish()
  }

  private var options: DaemonOptions {
    var options = DaemonOptions()
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

  private func site(
    _ metrics: Metrics, isReady: @escaping @Sendable () -> Bool
  ) throws -> Site {
    let folder = try PublicFolder.path(publicFolder)
    let origins = CrossOrigin(origin.isEmpty ? .any : .only(origin))
    let (catalogue, editor) = try Database.editable(at: database)
    return Site(
      catalogue: catalogue, editor: editor,
      files: try StaticFiles(at: folder, adding: origins.fieldsForAnyone, encoder: Packer.files),
      pages: PageFile(path: folder + "/index.html"), origins: origins,
      freshness: freshFor.map(Freshness.seconds) ?? .revalidate, version: Version.current,
      encoder: Packer.answers, metrics: metrics, isReady: isReady)
  }
}

/// Whether new requests are welcome: until the first signal to stop.
private final class Readiness: Sendable {
  private let isEnded = Atomic(false)

  var value: Bool { !isEnded.load(ordering: .relaxed) }

  func end() { isEnded.store(true, ordering: .relaxed) }
}
