import Catalogue
import Items
import SQLCatalogue
import Synchronization
import Views

/// Sessions with one database, each for one thread at a time. Lost connections are replaced.
///
/// While the server cannot be reached, one thread at a time tries to connect, after growing pauses. The other threads get
/// the last error at once.
final class ConnectionPool: Sendable {
  let address: ConnectionString
  private let limit: Int
  private let prepare: @Sendable (PostgresSession) throws -> Void
  private let state = Mutex(State())

  private struct State {
    var idle: [Idle] = []
    var isClosed = false
    /// Why the last attempt to connect failed.
    var failure: Failure?
  }

  private struct Idle: @unchecked Sendable {
    // Used only by the thread that takes it out of the list.
    let session: PostgresSession
  }

  private struct Failure {
    let error: any Error
    /// The next attempt to connect comes after this time.
    var end: ContinuousClock.Instant
    var pause: Duration
  }

  private static let firstPause = Duration.milliseconds(50)
  /// Less than the second that a reader waits for a revision.
  private static let longestPause = Duration.milliseconds(400)

  /// - Parameter prepare: runs on each new session, and throws if the database is another one.
  init(
    _ address: ConnectionString, limit: Int,
    prepare: @escaping @Sendable (PostgresSession) throws -> Void = { _ in }
  ) {
    self.address = address
    self.limit = limit
    self.prepare = prepare
  }

  /// - Throws: errors that a later attempt cannot mend.
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

  /// If the connection is lost, `body` runs once more on a new one, unless the server is away.
  func read<Value>(_ body: (PostgresSession) throws -> Value) throws(CatalogueError) -> Value {
    try mappingErrors(address.description) {
      do {
        return try borrowing(body)
      } catch let error as PostgresError where error.isFatal && !error.isUnreachable {
        return try borrowing(isNew: true, body)
      }
    }
  }

  /// Runs `body` in a transaction, and commits it. If the connection is lost before the transaction has begun, `body` runs
  /// on a new connection.
  ///
  /// - Throws: `.outcomeUnknown` if the connection is lost during the commit.
  func write<Value>(
    _ begin: String = "BEGIN", _ body: (PostgresSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try mappingErrors(address.description) {
      var isNew = false
      while true {
        var (hasBegun, isCommitting) = (false, false)
        do {
          return try borrowing(isNew: isNew) { session in
            try session.transaction(begin) {
              hasBegun = true
              return try body(session)
            } committing: {
              isCommitting = true
            }
          }
        } catch let error as PostgresError where error.isFatal {
          guard !isCommitting else {
            throw CatalogueError.outcomeUnknown(
              "\(address): the change may have been made, and may not: the connection was lost before the "
                + "answer to COMMIT (\(error.message))")
          }
          guard !isNew, !hasBegun, !error.isUnreachable else { throw error }
          isNew = true
        }
      }
    }
  }

  /// Closes idle sessions, and each other session after its use. Later calls throw `.unavailable`.
  func close() {
    state.withLock { $0 = State(isClosed: true) }
  }

  /// - Parameter isNew: whether to connect, and to close the idle sessions, which are as old as the lost one.
  /// - Throws: a `PostgresError` if the connection is lost, whatever `body` throws then.
  private func borrowing<Value>(
    isNew: Bool = false, _ body: (PostgresSession) throws -> Value
  ) throws -> Value {
    let idle = try state.withLock { state in
      guard !state.isClosed else { throw CatalogueError.unavailable("\(address) is closed") }
      if isNew { state.idle = [] }
      return state.idle.popLast()
    }
    do {
      return try use(idle?.session ?? open(), body)
    } catch let error as PostgresError where error.isUnreachable {
      // The other connections lead to the same server.
      state.withLock { $0.idle = [] }
      throw error
    }
  }

  private func use<Value>(
    _ session: PostgresSession, _ body: (PostgresSession) throws -> Value
  ) throws -> Value {
    defer {
      if !session.connection.isLost {
        let idle = Idle(session: session)
        state.withLock { if $0.idle.count < limit, !$0.isClosed { $0.idle.append(idle) } }
      }
    }
    return try withConnectionErrors(of: session, body)
  }

  private func withConnectionErrors<Value>(
    of session: PostgresSession, _ body: (PostgresSession) throws -> Value
  ) throws -> Value {
    session.failure = nil
    do {
      return try body(session)
    } catch {
      if let failure = session.failure, failure.isFatal { throw failure }
      throw error
    }
  }

  private func open() throws -> PostgresSession {
    try state.withLock { state in
      guard let last = state.failure else { return }
      guard last.end < .now else { throw last.error }
      state.failure?.end = .now + PostgresConnection.timeout
    }
    do {
      let session = try PostgresSession(to: address)
      try withConnectionErrors(of: session, prepare)
      state.withLock { $0.failure = nil }
      return session
    } catch {
      state.withLock { state in
        let pause = min(state.failure.map { $0.pause * 2 } ?? Self.firstPause, Self.longestPause)
        state.failure = Failure(error: error, end: .now + pause, pause: pause)
      }
      throw error
    }
  }
}
