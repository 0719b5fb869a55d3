import CMicrohttpd
private import Glibc
import HTTP

/// The handle of one of libmicrohttpd's daemons: started by `init`, stopped by `deinit`.
///
/// It must not be given up while a connection is suspended.
///
/// The library takes connections from any thread.
struct MicrohttpdDaemon: ~Copyable, @unchecked Sendable {
  private let handle: OpaquePointer
  private let configuration: UnsafeMutablePointer<carousel_daemon>

  init(for worker: Worker, options: ServerOptions) throws(ServerError) {
    // Room for the largest head, for what the library notes of each of its fields, and for the head of
    // the answer.
    let memory = options.gate.headLimit + (options.gate.fieldLimit + 4) * 64 + 2048
    let configuration = UnsafeMutablePointer<carousel_daemon>.allocate(capacity: 1)
    configuration.initialize(
      to: carousel_daemon(
        // The worker owns this handle, so it outlives every call of the library's.
        context: Unmanaged.passUnretained(worker).toOpaque(),
        connection_memory: memory,
        // Never reached: the acceptor stops before.
        connection_limit: UInt32(options.connectionLimit) + 1024,
        idle_timeout: UInt32(options.deadlines.idle),
        handle: handle_request, notify_connection: notify_connection,
        notify_completed: notify_completed, begin: begin_request, refuse: refuse_request,
        log: log_message))
    guard let handle = SignalsBlocked.during({ carousel_start(configuration) }) else {
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

  /// Gives the library `socket`, which it closes whatever comes.
  borrowing func add(_ socket: Int32, from address: SocketAddress) -> Bool {
    var address = address
    return address.withPointer { MHD_add_connection(handle, socket, $0, $1.pointee) } == .YES
  }
}

/// Calls `body` with a worker and one of its conversations, which nobody lets go of meanwhile: the
/// library holds the one from its connection's start to its end, and the daemon's owner the other.
private func lending<Result>(
  _ worker: UnsafeMutableRawPointer, _ conversation: UnsafeMutableRawPointer,
  _ body: (Worker, Connection) -> Result
) -> Result {
  Unmanaged<Worker>.fromOpaque(worker)._withUnsafeGuaranteedRef { worker in
    Unmanaged<Connection>.fromOpaque(conversation)._withUnsafeGuaranteedRef { body(worker, $0) }
  }
}

private let handle_request: MHD_AccessHandlerCallback = {
  context, connection, _, method, version, data, size, request in
  guard let context, let connection, let method, let version, let size,
    let conversation = request?.pointee
  else { return .NO }
  let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
  size.pointee = 0
  return lending(context, conversation) { worker, current in
    worker.handle(
      current, connection,
      head: WireHead(
        method: method, version: version, count: carousel_head_size(connection),
        mark: current.mark),
      piece: piece)
  }
}

private let notify_connection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
  guard let context, let connection, let slot else { return }
  let worker = Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
  switch event {
  case .CONNECTION_NOTIFY_STARTED:
    slot.pointee = Unmanaged.passRetained(worker.opened(connection)).toOpaque()
  case .CONNECTION_NOTIFY_CLOSED:
    guard let conversation = slot.pointee else { return }
    worker.closed(Unmanaged<Connection>.fromOpaque(conversation).takeRetainedValue())
    slot.pointee = nil
  @unknown default:
    return
  }
}

private let notify_completed: MHD_RequestCompletedCallback = { context, connection, request, _ in
  guard let context, let connection, let conversation = request?.pointee else { return }
  lending(context, conversation) { $0.completed($1, connection) }
}

private let begin_request:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
    UnsafeMutableRawPointer? = { context, target, connection in
      guard let context, let target, let connection,
        let conversation = carousel_connection_context(connection)
      else { return nil }
      lending(context, conversation) { $0.begin($1, connection, target: target) }
      return conversation
    }

private let refuse_request: @convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void = {
  context, status in
  guard let context else { return }
  Unmanaged<Worker>.fromOpaque(context)._withUnsafeGuaranteedRef {
    $0.refusing(status: Int(status))
  }
}

private let log_message: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void =
  { context, message in
    guard let context, let message else { return }
    Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue().say(String(cString: message))
  }
