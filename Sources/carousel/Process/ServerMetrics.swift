import Catalogue
import Glibc
import HTTP
import HTTPServer
import Serving

extension Metrics {
  /// Adds all metrics of a server except those of its requests, which ``Metrics`` counts itself. Metrics of processes are
  /// named as in the client libraries of Prometheus, and `target_info` as in OpenTelemetry.
  func add(
    _ server: borrowing Server, _ app: App, _ catalogue: any StripCatalogue,
    _ editor: (any StripEditor)?
  ) {
    let (workers, context, limit) = (server.workers, server.context, server.connectionLimit)
    func perWorker(_ name: String, _ help: String, _ count: @escaping @Sendable (Worker) -> Int) {
      add("http_server_" + name, help, by: "worker", workers.map { ("\($0.number)", count($0)) })
    }
    perWorker("open_connections", "Connections open now.") { $0.connectionCount }
    perWorker("active_requests", "Requests whose response is pending.") { $0.deferredCount }
    perWorker("event_streams", "Event streams open now.") { $0.streamCount }
    let (bodies, responses, addresses) = (context.bodies, context.responses, context.addresses)
    func http(
      _ name: String, _ help: String, _ value: @autoclosure @escaping @Sendable () -> Int
    ) {
      add("http_server_" + name, help, value())
    }
    http("body_bytes", "Bytes of request bodies in memory.", bodies.reserved)
    http("response_bytes", "Bytes of response bodies that are being sent.", responses.reserved)
    http(
      "address_connections_max", "Connections of the address that has the most.",
      addresses.greatestCount)
    http("connection_limit", "The most open connections.", limit)
    http(
      "address_connection_limit", "The most connections of one address; 0 for no limit.",
      addresses.limit)
    http("event_stream_limit", "The most open event streams.", context.options.streamLimit)
    http("body_limit_bytes", "The most bytes of request bodies.", bodies.limit)
    http("response_limit_bytes", "The most bytes of response bodies.", responses.limit)

    let (windows, views, feed, queues) = (app.windows, app.viewCache, app.feed, app.queues)
    add(
      "carousel_window_cache_requests_total", "Windows that were cached, and that were not.",
      by: "result", [("hit", windows.hits), ("miss", windows.misses)])
    func carousel(
      _ name: String, _ help: String, _ value: @autoclosure @escaping @Sendable () -> Int
    ) {
      add("carousel_" + name, help, value())
    }
    carousel("window_cache_bytes", "Bytes of cached windows, approximately.", windows.bytes.used)
    carousel("window_cache_limit_bytes", "The most bytes of cached windows.", windows.bytes.limit)
    carousel("view_cache_views", "Views in memory.", views.usage.count)
    carousel("view_cache_bytes", "Bytes of views in memory, approximately.", views.usage.bytes)
    carousel("view_cache_limit_bytes", "The most bytes of views in memory.", views.usage.limit)
    carousel("view_builds_total", "Views that were made from whole strips.", views.buildCount)
    carousel("event_subscriptions", "Event streams that get revisions.", feed.count)

    let withKeys = queues.filter { $0.queue.keyLimit < $0.queue.limit }
    func perQueue(
      _ name: String, _ help: String, of queues: [(name: String, queue: any CountedQueue)],
      _ count: @escaping @Sendable (any CountedQueue) -> Int
    ) {
      add("carousel_queue_" + name, help, by: "queue", queues.map { ($0.name, count($0.queue)) })
    }
    perQueue("tasks", "Tasks that wait or run.", of: queues) { $0.count }
    perQueue("limit", "The most tasks that wait or run.", of: queues) { $0.limit }
    perQueue("keys", "Different views, facets or pools among the tasks.", of: withKeys) {
      $0.keyCount
    }
    perQueue("keys_limit", "The most different views, facets or pools.", of: withKeys) {
      $0.keyLimit
    }

    func store(
      _ name: String, _ help: String, _ value: @escaping @Sendable (StoreStatus) -> Double?
    ) {
      add("carousel_" + name, help, catalogue.status.flatMap(value))
    }
    store("strip_cache_strips", "Strips in memory.") { Double($0.strips.count) }
    store("strip_cache_bytes", "Bytes of strips in memory, approximately.") {
      Double($0.strips.bytes)
    }
    store("strip_cache_limit_bytes", "The most bytes of strips in memory.") {
      Double($0.strips.limit)
    }
    store("store_contact_age_seconds", "Seconds since the last comparison with the store.") {
      $0.contactAge / .seconds(1)
    }
    store("store_reachable", "Whether the store was reached within 15 seconds.") {
      $0.contactAge < .seconds(15) ? 1 : 0
    }
    store("columns_pending_items", "Items of strips whose columns are being read or built.") {
      Double($0.pendingItems)
    }
    store("damaged_rows_total", "Reads of the store that found a row damaged or missing.") {
      Double($0.damagedRows)
    }
    store("store_writable", "Whether nothing is known to prevent changes.") { _ in
      editor.map { $0.readOnlyReason == nil ? 1 : 0 }
    }
    store("page_cache_limit_bytes", "The most bytes of SQLite's page caches.") {
      $0.pageCacheLimit.map(Double.init)
    }
    store("store_bytes", "Bytes of the tables in the store, with free pages.") {
      Double($0.size?.bytes ?? 0)
    }
    store("store_pending_deletions", "Deletions that maintenance has not finished.") {
      Double($0.size?.pendingDeletions ?? 0)
    }
    store("store_free_bytes", "Bytes of free pages in the SQLite file.") {
      $0.walBytes == nil ? nil : Double($0.size?.freeBytes ?? 0)
    }
    store("store_wal_bytes", "Bytes of SQLite's write-ahead log.") { $0.walBytes.map(Double.init) }

    let version = "{service_name=\"carousel\",service_version=\"\(Version.current)\"}"
    add("target_info", "The name and version of the program.") { [(version, 1)] }
    let start = Int(time(nil))
    add("process_start_time_seconds", "The start time, in seconds since 1970.", start)
    add("process_cpu_seconds_total", "The CPU time in seconds.", ProcessStatus.processorSeconds)
    add(
      "process_resident_memory_bytes", "The resident memory in bytes.",
      ProcessStatus.memory?.resident)
    add("process_open_fds", "The number of open file descriptors.", ProcessStatus.openFiles)
  }
}
