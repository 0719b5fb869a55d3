import CPostgreSQL
import Catalogue
import Foundation

/// A connection to a PostgreSQL server, open as long as this lives; for one thread at a time.
struct Connection: ~Copyable {
  private let handle: OpaquePointer
  private let address: Address

  /// How long it may take to connect, unless the address says otherwise.
  static let timeout = Duration.seconds(3)

  /// In milliseconds: how long nothing may come and go before it is asked whether anybody is there.
  private static let silence: Int32 = 5000

  /// Connects, within the time that it may take.
  ///
  /// - Throws: a `PostgresError` where there is no way, `.unavailable` for a database that is not
  ///   in UTF-8.
  init(to address: Address) throws {
    self.address = address
    handle = try Self.open(address)
  }

  deinit { PQfinish(handle) }

  /// What libpq is told of a connection: names, and the value of each.
  private static func withOptions<Result>(
    for address: Address,
    _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let options = [
      ("connect_timeout", "\(timeout.components.seconds)"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
      ("fallback_application_name", "carousel"), ("dbname", address.text),
      ("client_encoding", "UTF8"),
    ]
    let names = options.map { UnsafePointer(strdup($0.0)) } + [nil]
    let values = options.map { UnsafePointer(strdup($0.1)) } + [nil]
    defer { for text in names + values { free(UnsafeMutableRawPointer(mutating: text)) } }
    return body(names, values)
  }

  private static func open(_ address: Address) throws -> OpaquePointer {
    let began = ContinuousClock.now
    guard let handle = withOptions(for: address, { PQconnectdbParams($0, $1, 1) }) else {
      throw PostgresError(state: nil, message: "no memory for a connection", isLost: true)
    }
    do {
      guard PQstatus(handle) == CONNECTION_OK else {
        var failure = failure(of: handle)
        // A server that is there and does not let this program in is not away; where nobody answered
        // in time, nobody is asked again.
        failure.isAway =
          ContinuousClock.now - began >= timeout
          || withOptions(for: address) { PQpingParams($0, $1, 1) } != PQPING_OK
        throw failure
      }
      let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
      guard encoding == "UTF8" else {
        throw CatalogueError.unavailable("\(address) is not in UTF-8")
      }
    } catch {
      PQfinish(handle)
      throw error
    }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    // So that `answer` and `flush` are where it is waited.
    PQsetnonblocking(handle, 1)
    return handle
  }

  /// Whether it is of no more use.
  var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

  /// Has the server prepare a statement under a name.
  func prepare(_ sql: StaticString, as name: String) throws {
    _ = try withText(sql) { try answer(to: PQsendPrepare(handle, name, $0, 0, nil)) }
  }

  /// Runs the statement that was prepared under a name.
  func run(_ name: String, _ parameters: [Parameter]) throws -> Rows {
    var encoding = Encoding()
    let ranges = parameters.map { parameter in
      let start = encoding.bytes.count
      return encoding.append(parameter) ? start..<encoding.bytes.count : nil
    }
    let lengths = ranges.map { Int32($0?.count ?? 0) }
    let formats = ranges.map { _ in Int32(1) }
    // A byte more, so that there is an address even where nothing is to be sent.
    let isSent = (encoding.bytes + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        let values = ranges.map { range in
          range.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound) }
        }
        return PQsendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
      }
    }
    return try answer(to: isSent)
  }

  /// Runs one or more statements that take no values.
  func run(_ sql: StaticString) throws {
    _ = try withText(sql) { try answer(to: PQsendQuery(handle, $0)) }
  }

  // MARK: - Copying

  /// Begins a copy into a table; nothing else can be run until it has ended.
  func beginCopy(_ sql: StaticString) throws {
    let rows = try withText(sql) { try answer(to: PQsendQuery(handle, $0)) }
    precondition(rows.status == PGRES_COPY_IN, "The statement is one that copies in.")
  }

  /// Sends a piece of what is copied.
  func put(_ bytes: [UInt8]) throws {
    let isSent = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        PQputCopyData(handle, $0.baseAddress, Int32($0.count)) == 1
      }
    }
    guard isSent else { throw failure() }
    try flush()
  }

  /// Ends a copy.
  ///
  /// - Parameter complaint: why nothing of it shall hold.
  /// - Throws: what the server has against the rows.
  func endCopy(givingUp complaint: String? = nil) throws {
    _ = try answer(to: PQputCopyEnd(handle, complaint))
  }

  // MARK: - Listening

  /// The payloads of the notifications that have come; waits for the first one, but no longer than
  /// `milliseconds`.
  func notifications(within milliseconds: Int32) throws -> [String] {
    let payloads = try arrived()
    guard payloads.isEmpty else { return payloads }
    var waiting = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    guard waiting.fd >= 0 else { throw failure() }
    _ = poll(&waiting, 1, milliseconds)
    return try arrived()
  }

  private func arrived() throws -> [String] {
    guard PQconsumeInput(handle) == 1 else { throw failure() }
    var payloads: [String] = []
    while let notification = PQnotifies(handle) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  // MARK: - Results

  /// What the server says last to what was sent to it, if `isSent` is 1.
  private func answer(to isSent: Int32) throws -> Rows {
    guard isSent == 1 else { throw failure() }
    try flush()
    var last: Rows?
    reading: while true {
      while PQisBusy(handle) == 1 {
        try wait(for: POLLIN)
        guard PQconsumeInput(handle) == 1 else { break reading }
      }
      guard let result = PQgetResult(handle) else { break }
      last = Rows(owning: result)
      if PQresultStatus(result) == PGRES_COPY_IN { break }
    }
    guard let last else { throw failure() }
    let (status, state) = (last.status, last.state)
    guard status != PGRES_FATAL_ERROR, status != PGRES_BAD_RESPONSE else { throw failure(state) }
    return last
  }

  /// Sends what has not been sent yet.
  private func flush() throws {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1:
        try wait(for: POLLIN | POLLOUT)
        guard PQconsumeInput(handle) == 1 else { throw failure() }
      default: throw failure()
      }
    }
  }

  /// Waits for the server, as long as it takes. After each while of silence it is seen whether it
  /// still takes connections: where it does it is only busy, or somebody has locked what is wanted.
  ///
  /// - Throws: a `PostgresError` where nobody answers there; the connection is lost then.
  private func wait(for events: Int32) throws {
    var waiting = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    guard waiting.fd >= 0 else { throw failure() }
    while poll(&waiting, 1, Self.silence) == 0 {
      guard Self.withOptions(for: address, { PQpingParams($0, $1, 1) }) == PQPING_NO_RESPONSE else {
        continue
      }
      // So that nothing more can come, and libpq holds it for lost.
      shutdown(waiting.fd, Int32(SHUT_RDWR))
      while PQconsumeInput(handle) == 1 {}
      throw PostgresError(
        state: nil, message: "nobody answers on the connection, nor to a new one", isLost: true,
        isAway: true)
    }
  }

  private func failure(_ state: String? = nil) -> PostgresError {
    Self.failure(of: handle, state)
  }

  private static func failure(of handle: OpaquePointer, _ state: String? = nil) -> PostgresError {
    PostgresError(
      state: state, message: String(cString: PQerrorMessage(handle)).oneLine,
      isLost: PQstatus(handle) != CONNECTION_OK)
  }
}

/// Gives a literal, which ends with a NUL, as C takes it.
private func withText<Result: ~Copyable>(
  _ text: StaticString, _ body: (UnsafePointer<CChar>) throws -> Result
) rethrows -> Result {
  try text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount + 1) {
    try body($0)
  }
}
