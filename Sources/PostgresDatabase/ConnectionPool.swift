import Catalogue
import SQLCatalogue
import Synchronization

/// Sessions with one database. One thread at a time uses each. Lost connections are replaced.
final class ConnectionPool: Sendable {
  let address: ConnectionString
  private let backoff: ConnectionBackoff
  private let state = Mutex(State())
  /// How many idle sessions are kept.
  private let limit: Int

  private struct State {
    var idle: [Idle] = []
    var isClosed = false
  }

  /// A session that no thread uses.
  private struct Idle: @unchecked Sendable {
    // The thread that takes it out of the list is its only user.
    let session: PostgresSession
  }

  /// - Parameter prepare: runs on each new session, and throws if the database is not the one expected.
  init(
    _ address: ConnectionString, limit: Int,
    prepare: @escaping @Sendable (PostgresSession) throws -> Void = { _ in }
  ) {
    self.address = address
    self.limit = limit
    backoff = ConnectionBackoff(to: address, prepare: prepare)
  }

  /// Why the server cannot be reached now; nil if it can.
  ///
  /// - Throws: every other error.
  func unavailabilityReason() throws(CatalogueError) -> String? {
    try mappingErrors(address.description) {
      do {
        try borrowing { _ in }
        return nil
      } catch let error as PostgresError where error.isUnreachable {
        return CatalogueError(error, address.description).description
      }
    }
  }

  /// Runs `body`, which only reads. If the connection turns out to be lost, `body` runs once more on a new
  /// one, unless the server is away.
  func read<Value>(_ body: (PostgresSession) throws -> Value) throws(CatalogueError) -> Value {
    try mappingErrors(address.description) {
      do {
        return try borrowing(body)
      } catch let error as PostgresError
        where (error.isLost || error.isEnding) && !error.isUnreachable
      {
        return try borrowingNew(body)
      }
    }
  }

  /// Runs `body` in a transaction that writes. If the connection turns out to be lost before the
  /// transaction has begun, a new connection is used.
  ///
  /// - Throws: `.outcomeUnknown` if the connection is lost while the transaction is committed.
  func write<Value>(
    _ begin: String = "BEGIN", _ body: (PostgresSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try mappingErrors(address.description) {
      var (hasBegun, isCommitting) = (false, false)
      func write(_ session: PostgresSession) throws -> Value {
        try session.transaction(begin) {
          hasBegun = true
          return try body(session)
        } committing: {
          isCommitting = true
        }
      }
      do {
        return try borrowing(write)
      } catch let error as PostgresError where error.isLost || error.isEnding {
        guard !isCommitting else {
          throw CatalogueError.outcomeUnknown(
            "\(address): the change may have been made, and may not: the connection was lost before the "
              + "answer to COMMIT (\(error.message))")
        }
        guard !hasBegun, !error.isUnreachable else { throw error }
        return try borrowingNew(write)
      }
    }
  }

  /// Closes idle sessions, and each other session after its use. Later calls throw `.unavailable`.
  func close() {
    state.withLock { $0 = State(idle: [], isClosed: true) }
  }

  private func borrowing<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
    let idle = try state.withLock { state in
      guard !state.isClosed else { throw CatalogueError.unavailable("\(address) is closed") }
      return state.idle.popLast()
    }
    do {
      return try use(idle?.session ?? backoff.open(), body)
    } catch let error as PostgresError where error.isUnreachable {
      // The other connections lead to the same server.
      state.withLock { $0.idle = [] }
      throw error
    }
  }

  /// Idle sessions are as old as the one that was lost: they are closed.
  private func borrowingNew<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
    state.withLock { $0.idle = [] }
    return try use(backoff.open(), body)
  }

  /// - Throws: a `PostgresError` if the connection is lost, whatever `body` throws then.
  private func use<Value>(
    _ session: PostgresSession, _ body: (PostgresSession) throws -> Value
  ) throws -> Value {
    defer {
      if !session.isLost {
        let idle = Idle(session: session)
        state.withLock { if $0.idle.count < limit, !$0.isClosed { $0.idle.append(idle) } }
      }
    }
    session.failure = nil
    do {
      return try body(session)
    } catch {
      if let failure = session.failure, failure.isLost || failure.isEnding { throw failure }
      throw error
    }
  }
}

/// Opens connections. While the server is away, one thread at a time tries, less and less often. All
/// others get the last error at once.
final class ConnectionBackoff: Sendable {
  private struct Failure {
    let error: PostgresError
    /// When the next thread tries.
    var end: ContinuousClock.Instant
    var pause: Duration
  }

  private static let firstPause = Duration.milliseconds(50)
  /// Less than the second that a reader waits for a revision.
  private static let longestPause = Duration.milliseconds(400)

  private let address: ConnectionString
  private let failure = Mutex<Failure?>(nil)
  private let prepare: @Sendable (PostgresSession) throws -> Void

  init(
    to address: ConnectionString, prepare: @escaping @Sendable (PostgresSession) throws -> Void
  ) {
    self.address = address
    self.prepare = prepare
  }

  /// - Throws: a `PostgresError` if the server cannot be reached, and what `prepare` throws.
  func open() throws -> PostgresSession {
    let known = failure.withLock { failure -> PostgresError? in
      guard let last = failure else { return nil }
      guard last.end < .now else { return last.error }
      failure?.end = .now + PostgresConnection.timeout
      return nil
    }
    if let known { throw known }
    do {
      let session = try PostgresSession(to: address)
      do {
        try prepare(session)
      } catch {
        throw session.failure ?? error
      }
      failure.withLock { $0 = nil }
      return session
    } catch let error as PostgresError {
      failure.withLock { failure in
        let pause = min(failure.map { $0.pause * 2 } ?? Self.firstPause, Self.longestPause)
        failure = Failure(error: error, end: .now + pause, pause: pause)
      }
      throw error
    }
  }
}
