internal import CMicrohttpd
private import Glibc
internal import HTTP
internal import Synchronization

/// One thread of libmicrohttpd's, and the connections it has.
///
/// Its thread parses, calls the handler and sends; the daemon's other threads hand it connections,
/// look at their clocks and stop it.
final class Worker: Sendable {
  private struct Table {
    var conversations: [ObjectIdentifier: Conversation] = [:]
    var late: [ObjectIdentifier: LateAnswer] = [:]
    /// No connection may be set aside any more.
    var isStopping = false
  }

  private let handler: any Handler
  private let gate: Gate
  private let table = Mutex(Table())
  private let handle = Mutex<LibraryDaemon?>(nil)
  private let draining = Atomic(false)
  private let open = Atomic(0)
  private let log: LogLimiter
  private let closed: @Sendable (Peer) -> Void

  /// Starts the thread. `closed` is called when a connection is gone, `log` with what the library
  /// has to say.
  init(
    options: DaemonOptions, handler: any Handler, log: LogLimiter,
    closed: @escaping @Sendable (Peer) -> Void
  ) throws(DaemonError) {
    self.handler = handler
    self.log = log
    self.closed = closed
    gate = options.gate
    try handle.withLock { handle throws(DaemonError) in
      handle = try LibraryDaemon(for: self, options: options)
    }
  }

  /// Connections that it has or was given.
  var connectionCount: Int { open.load(ordering: .relaxed) }

  /// Takes over `socket`, from `address`. The library closes it, even where this fails.
  func add(_ socket: Int32, from address: SocketAddress) {
    open.add(1, ordering: .relaxed)
    let added = handle.withLock { $0?.add(socket, from: address) ?? false }
    if !added { open.subtract(1, ordering: .relaxed) }
  }

  /// Shuts the connections whose clients are slower than `deadlines` allow.
  func shutOverdue(by deadlines: Deadlines) {
    let now = Milliseconds.now
    table.withLock { table in
      for conversation in table.conversations.values
      where conversation.isOverdue(by: deadlines, now: now) {
        shutdown(conversation.socket, Int32(SHUT_RDWR))
      }
    }
  }

  /// From now on each response is its connection's last.
  func drain() { draining.store(true, ordering: .relaxed) }

  /// Ends the connections that wait for a request, after what has already arrived.
  func shutIdle() {
    let now = Milliseconds.now
    table.withLock { table in
      for conversation in table.conversations.values where conversation.isIdle(now: now) {
        shutdown(conversation.socket, Int32(SHUT_RD))
      }
    }
  }

  /// Answers 503 for every handler that is still at work, and lets none begin anew.
  func abandonLate() {
    let late = table.withLock { table in
      table.isStopping = true
      return Array(table.late.values)
    }
    for answer in late { answer.deliver(Problem.unavailable("The server stops.").response) }
  }

  /// Ends everything at once and waits for the thread.
  func stop() {
    abandonLate()
    handle.withLock { $0 = nil }
  }

  // MARK: Called by the library, on this worker's thread

  func opened(_ connection: OpaquePointer) -> Conversation {
    let peer = carousel_connection_peer(connection).map { Peer($0) } ?? .unknown
    let conversation = Conversation(
      socket: carousel_connection_socket(connection), peer: peer, now: .now)
    table.withLock { $0.conversations[ObjectIdentifier(conversation)] = conversation }
    return conversation
  }

  func closed(_ conversation: Conversation) {
    table.withLock { _ = $0.conversations.removeValue(forKey: ObjectIdentifier(conversation)) }
    open.subtract(1, ordering: .relaxed)
    closed(conversation.peer)
  }

  func handle(
    _ conversation: Conversation, _ connection: OpaquePointer, head: () -> [UInt8],
    piece: UnsafeRawBufferPointer
  ) -> MHD_Result {
    switch conversation.step {
    case .head:
      do {
        let head = try gate.admit(head())
        conversation.head = head
        conversation.step = .body
        if head.length != .none { conversation.enter(.body, now: .now) }
        return .YES
      } catch {
        // In the first call, which makes the library read no body and close.
        conversation.step = .answered
        return send(error.problem.response, on: connection, of: conversation, closing: true)
      }
    case .body where !piece.isEmpty:
      guard conversation.body.count + piece.count <= gate.bodyLimit else {
        conversation.body = []
        conversation.step = .discard
        EarlyRefusal.bodyTooLarge.send(to: conversation.socket)
        return .YES
      }
      conversation.body.append(contentsOf: piece)
      return .YES
    case .body:
      return answer(conversation, connection)
    case .discard:
      // It has been told; its deadline ends it where it goes on all the same.
      return piece.isEmpty ? .NO : .YES
    case .late(let late):
      guard let response = late.take() else { return .YES }
      table.withLock { _ = $0.late.removeValue(forKey: ObjectIdentifier(late)) }
      return send(response, on: connection, of: conversation)
    case .answered:
      return .YES
    }
  }

  func completed(_ conversation: Conversation) { conversation.reset(now: .now) }

  func begin(_ conversation: Conversation, target: UnsafePointer<CChar>) {
    conversation.mark = WireHead.hideQuery(of: target)
    conversation.enter(.head, now: .now)
  }

  func say(_ message: String) { log.say(message) }

  private func answer(_ conversation: Conversation, _ connection: OpaquePointer) -> MHD_Result {
    guard let head = conversation.head else { return .NO }
    let request = Request(head: head, body: conversation.body, peer: conversation.peer)
    conversation.body = []
    switch handler.answer(request) {
    case .response(let response):
      return send(response, on: connection, of: conversation)
    case .later(let start):
      conversation.enter(.answering, now: .now)
      guard let late = suspend(connection) else {
        return send(
          Problem.unavailable("The server stops.").response, on: connection, of: conversation)
      }
      conversation.step = .late(late)
      start { late.deliver($0) }
      return .YES
    }
  }

  /// Sets `connection` aside; nil when the worker is about to stop, which the library survives only
  /// without such connections.
  private func suspend(_ connection: OpaquePointer) -> LateAnswer? {
    table.withLock { table in
      guard !table.isStopping else { return nil }
      let late = LateAnswer(suspending: connection)
      table.late[ObjectIdentifier(late)] = late
      return late
    }
  }

  private func send(
    _ response: Response, on connection: OpaquePointer, of conversation: Conversation,
    closing: Bool = false
  ) -> MHD_Result {
    // The library is lenient with the framing of chunks, so nothing is read after them.
    let isLast =
      closing || conversation.head?.length == .chunked || draining.load(ordering: .relaxed)
    conversation.step = .answered
    conversation.head = nil
    conversation.enter(.sending, sending: response.body.count, now: .now)
    guard let wire = WireResponse(response, closing: isLast) else { return .NO }
    return wire.queue(status: response.status, on: connection)
  }
}
