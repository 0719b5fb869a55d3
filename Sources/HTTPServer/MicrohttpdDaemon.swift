import CMicrohttpd
import Glibc
import HTTP

/// Owns a libmicrohttpd daemon: `init` starts it, `deinit` stops it.
///
/// No connection may be suspended when the daemon stops. Any thread may add connections.
struct MicrohttpdDaemon: ~Copyable, @unchecked Sendable {
  private let handle: OpaquePointer
  private let configuration: UnsafeMutablePointer<carousel_daemon>

  init(for worker: Worker, options: ServerOptions) throws(ServerError) {
    let configuration = UnsafeMutablePointer<carousel_daemon>.allocate(capacity: 1)
    configuration.initialize(
      to: carousel_daemon(
        // The worker owns this handle, so it is alive during each callback.
        context: Unmanaged.passUnretained(worker).toOpaque(),
        connection_memory: options.connectionMemory,
        // The acceptor's limit is lower, so libmicrohttpd never reaches this limit.
        connection_limit: UInt32(options.connectionLimit) + 1024,
        idle_timeout: UInt32(options.deadlines.idle),
        handle: handle_request, notify_connection: notify_connection,
        notify_completed: { context, _, request, _ in
          guard let context, let connection = request?.pointee else { return }
          withUnsafeObjects(context, connection) { $0.requestCompleted($1) }
        },
        begin: { context, target, handle in
          guard let context, let target, let handle,
            let connection = carousel_connection_context(handle)
          else { return nil }
          withUnsafeObjects(context, connection) { $0.requestBegan($1, target: target) }
          return connection
        },
        reject: { context, status, isForLength in
          guard let context else { return }
          let worker = Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
          if isForLength { return worker.rejectForLength(status: Int(status)) }
          worker.context.report(RejectedRequest(status: Int(status)))
        },
        log: { context, message in
          guard let context, let message else { return }
          Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
            .libraryLogged(String(cString: message))
        }))
    guard let handle = withSignalsBlocked({ carousel_start(configuration) }) else {
      configuration.deallocate()
      throw .cannotStart(reason: String(cString: strerror(errno)))
    }
    self.handle = handle
    self.configuration = configuration
  }

  deinit {
    MHD_stop_daemon(handle)
    configuration.deallocate()
  }

  /// Passes `socket` to libmicrohttpd, which closes it even if it cannot add it.
  borrowing func add(_ socket: Int32, from address: SocketAddress) -> Bool {
    var address = address
    return address.withPointer { MHD_add_connection(handle, socket, $0, $1.pointee) } == .YES
  }
}

/// Calls `body` with a worker and one of its connections without retaining them.
///
/// Both are alive: the worker owns the daemon, and the daemon owns the connection until it closes.
private func withUnsafeObjects<Result>(
  _ worker: UnsafeMutableRawPointer, _ connection: UnsafeMutableRawPointer,
  _ body: (Worker, Connection) -> Result
) -> Result {
  Unmanaged<Worker>.fromOpaque(worker)._withUnsafeGuaranteedRef { worker in
    Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { body(worker, $0) }
  }
}

private let handle_request: MHD_AccessHandlerCallback = {
  context, handle, _, method, version, data, size, request in
  guard let context, let handle, let method, let version, let size,
    let connection = request?.pointee
  else { return .NO }
  let bodyChunk = UnsafeRawBufferPointer(start: data, count: size.pointee)
  size.pointee = 0
  return withUnsafeObjects(context, connection) { worker, connection in
    let head = RawHead(
      method: method, version: version, count: carousel_head_size(handle),
      maskedQuery: connection.maskedQuery)
    return worker.handle(connection, head: head, bodyChunk: bodyChunk)
  }
}

private let notify_connection: MHD_NotifyConnectionCallback = { context, handle, slot, event in
  guard let context, let handle, let slot else { return }
  let worker = Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
  switch event {
  case .CONNECTION_NOTIFY_STARTED:
    slot.pointee = Unmanaged.passRetained(worker.connectionOpened(handle)).toOpaque()
  case .CONNECTION_NOTIFY_CLOSED:
    guard let connection = slot.pointee else { return }
    worker.connectionClosed(Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue())
    slot.pointee = nil
  @unknown default:
    return
  }
}
