import CPostgreSQL
import Foundation
import Items
package import SQLCatalogue
import Views

/// A connection to a PostgreSQL server, for one thread at a time. It owns libpq's handle.
package struct PostgresConnection: ~Copyable {
  /// Nil if there was no memory. libpq then reports a failed connection.
  private let handle: OpaquePointer?
  private let address: ConnectionString

  /// The limit for connecting, unless the connection string says otherwise.
  static let timeout = Duration.seconds(3)

  /// In milliseconds. After such a silence the client checks whether the server still runs.
  private static let silence: Int32 = 5000

  /// - Throws: a `PostgresError` if the server cannot be reached; `.unavailable` if the encoding is not UTF-8.
  package init(to address: ConnectionString) throws {
    let began = ContinuousClock.now
    self.address = address
    handle = Self.withOptions(for: address) { PQconnectdbParams($0, $1, 1) }
    guard PQstatus(handle) == CONNECTION_OK else {
      var failure = failure()
      // A server that rejects the login can be reached. After a timeout, this does not ask the server again.
      failure.isUnreachable =
        ContinuousClock.now - began >= Self.timeout
        || Self.withOptions(for: address) { PQpingParams($0, $1, 1) } != PQPING_OK
        || Self.acceptsLogin(address)
      throw failure
    }
    guard PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }) == "UTF8" else {
      throw CatalogueError.unavailable("\(address) is not in UTF-8")
    }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    // So that only `wait` blocks.
    PQsetnonblocking(handle, 1)
  }

  deinit { PQfinish(handle) }

  /// Calls `body` with libpq's names and values of the options. The `others` take precedence over the options of the
  /// address. libpq ignores empty values.
  private static func withOptions<Value>(
    for address: ConnectionString, _ others: [(String, String)] = [],
    _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> Value
  ) -> Value {
    let options: [(String, String)] =
      [
        ("connect_timeout", "\(timeout.components.seconds)"), ("keepalives_idle", "5"),
        ("keepalives_interval", "2"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
        ("fallback_application_name", "carousel"),
        ("target_session_attrs", "primary"), ("dbname", address.text),
        ("client_encoding", "UTF8"),
      ] + others
    let names = options.map { UnsafePointer(strdup($0.0)) } + [nil]
    let values = options.map { UnsafePointer(strdup($0.1)) } + [nil]
    defer { for text in names + values { free(UnsafeMutableRawPointer(mutating: text)) } }
    return body(names, values)
  }

  /// Whether a standby of the address accepts the login. It may be promoted later.
  private static func acceptsLogin(_ address: ConnectionString) -> Bool {
    let handle = withOptions(for: address, [("target_session_attrs", "any")]) {
      PQconnectdbParams($0, $1, 1)
    }
    defer { PQfinish(handle) }
    return PQstatus(handle) == CONNECTION_OK
  }

  /// Whether the connection can no longer be used. A failed send leaves pipeline mode on, and results then belong to other
  /// statements.
  package var isLost: Bool {
    PQstatus(handle) != CONNECTION_OK || PQpipelineStatus(handle) != PQ_PIPELINE_OFF
  }

  var hasFailedTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

  /// - Parameter types: the types of the parameters; 0 if the server infers the type.
  func prepare(_ sql: String, as name: String, types: [Oid]) throws {
    _ = try result(of: PQsendPrepare(handle, name, sql, Int32(types.count), types))
  }

  func run(_ name: String, _ values: [SQLValue]) throws -> PostgresResult {
    try result(of: send(name, values))
  }

  /// Runs a prepared statement once for each set of values, in one round trip.
  ///
  /// - Throws: the first error. The server has run nothing after it.
  package func run(_ name: String, forEach sets: ArraySlice<[SQLValue]>) throws -> [PostgresResult]
  {
    guard PQenterPipelineMode(handle) == 1 else { throw failure() }
    for values in sets {
      guard send(name, values) == 1 else { throw failure() }
    }
    guard PQpipelineSync(handle) == 1 else { throw failure() }
    // Results are read while values are sent: the server stops reading if its results are not read.
    try flush()
    var results: [PostgresResult] = []
    results.reserveCapacity(sets.count)
    var failed: PostgresError?
    var isBetweenResults = false
    reading: while true {
      guard let result = try nextResult() else {
        // One NULL ends the result of each statement. Two mean that the connection is lost.
        guard !isBetweenResults else { throw failure() }
        isBetweenResults = true
        continue
      }
      isBetweenResults = false
      switch result.status {
      case PGRES_PIPELINE_SYNC: break reading
      case PGRES_PIPELINE_ABORTED: continue
      case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: failed = failed ?? failure(result)
      default: results.append(result)
      }
    }
    guard PQexitPipelineMode(handle) == 1 else { throw failure() }
    if let failed { throw failed }
    return results
  }

  /// Runs one or more statements without values.
  func run(_ sql: String) throws {
    _ = try result(of: PQsendQuery(handle, sql))
  }

  private func send(_ name: String, _ values: [SQLValue]) -> Int32 {
    var encoder = CopyEncoder()
    let ranges = values.map { value in
      let start = encoder.bytes.count + CopyEncoder.lengthSize
      return encoder.append(value) ? start..<encoder.bytes.count : nil
    }
    let lengths = ranges.map { Int32($0?.count ?? 0) }
    let formats = ranges.map { _ in Int32(1) }
    return encoder.bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        let values = ranges.map { range in
          range.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound) }
        }
        return PQsendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
      }
    }
  }

  /// Nothing else can run until the copy ends.
  func beginCopy(_ sql: String) throws {
    let result = try result(of: PQsendQuery(handle, sql))
    precondition(result.status == PGRES_COPY_IN, "The statement is COPY ... FROM STDIN.")
  }

  func sendCopy(_ bytes: [UInt8]) throws {
    let isSent = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        PQputCopyData(handle, $0.baseAddress, Int32($0.count)) == 1
      }
    }
    guard isSent else { throw failure() }
    try flush()
  }

  /// - Parameter reason: nil if the copy is complete.
  /// - Throws: the server's error if it rejects the rows.
  func endCopy(abandoning reason: String? = nil) throws {
    _ = try result(of: PQputCopyEnd(handle, reason))
  }

  /// The payloads of the notifications that have arrived. Waits for the first one, at most `milliseconds`.
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

  func cancellation() -> StatementCancellation {
    StatementCancellation(owning: PQgetCancel(handle))
  }

  /// The last result of the statements that were sent. `isSent` is libpq's result of sending them: 1 on success.
  private func result(of isSent: Int32) throws -> PostgresResult {
    guard isSent == 1 else { throw failure() }
    try flush()
    var last: PostgresResult?
    while let result = try nextResult() {
      last = result
      if result.status == PGRES_COPY_IN { break }
    }
    guard let last else { throw failure() }
    guard ![PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE].contains(last.status) else {
      throw failure(last)
    }
    return last
  }

  /// Nil after the last result of a statement.
  private func nextResult() throws -> PostgresResult? {
    while PQisBusy(handle) == 1 {
      try wait(for: POLLIN)
      // If the connection is lost, libpq makes a result that says so.
      if PQconsumeInput(handle) != 1 { break }
    }
    return PQgetResult(handle).map(PostgresResult.init(owning:))
  }

  /// Sends all buffered bytes, and reads the bytes that arrive.
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

  /// Waits for the server without a limit. After each silence it checks whether the server still accepts connections. If it
  /// does, it is only busy, or waits for a lock.
  ///
  /// - Throws: a `PostgresError` if the server does not answer; the connection is lost then.
  private func wait(for events: Int32) throws {
    var waiting = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    guard waiting.fd >= 0 else { throw failure() }
    // The address can name other hosts, which may answer.
    let host = [
      ("host", PQhost(handle)), ("hostaddr", PQhostaddr(handle)), ("port", PQport(handle)),
    ]
    .map { ($0, $1.map { String(cString: $0) } ?? "") }
    while poll(&waiting, 1, Self.silence) == 0 {
      let answer = Self.withOptions(for: address, host) { PQpingParams($0, $1, 1) }
      guard answer == PQPING_NO_RESPONSE else { continue }
      // libpq then finds the connection lost.
      shutdown(waiting.fd, Int32(SHUT_RDWR))
      while PQconsumeInput(handle) == 1 {}
      throw PostgresError(
        state: nil, message: "the server answers neither on the connection nor on a new one",
        isLost: true, isUnreachable: true)
    }
  }

  private func failure(_ result: PostgresResult? = nil) -> PostgresError {
    PostgresError(
      state: result?.state,
      message: (result?.message ?? String(cString: PQerrorMessage(handle))).oneLine,
      isLost: PQstatus(handle) != CONNECTION_OK)
  }
}

/// Stops the running statement of a connection, from another thread.
final class StatementCancellation: @unchecked Sendable {
  // libpq allows PQcancel from any thread.
  private let handle: OpaquePointer?

  init(owning handle: OpaquePointer?) { self.handle = handle }

  deinit { PQfreeCancel(handle) }

  /// The statement fails with SQLSTATE 57014.
  func cancel() {
    var message = [CChar](repeating: 0, count: 256)
    PQcancel(handle, &message, Int32(message.count))
  }
}
