import Synchronization

/// The way to a database, for new sessions. While there is none it is tried less and less often, by
/// one thread at a time; all others are told at once why.
final class ConnectionBackoff: Sendable {
  private struct Closed {
    let reason: PostgresError
    /// When it is tried again.
    var end: ContinuousClock.Instant
    var pause: Duration
  }

  private static let firstPause = Duration.milliseconds(50)
  /// Less than the second that a reader waits for a revision.
  private static let longestPause = Duration.milliseconds(400)

  private let address: Address
  private let closed = Mutex<Closed?>(nil)
  private let look: @Sendable (Session) throws -> Void

  /// - Parameter look: is shown each session before anybody else has it, and throws where it is not
  ///   one with such a database as is wanted.
  init(to address: Address, look: @escaping @Sendable (Session) throws -> Void) {
    self.address = address
    self.look = look
  }

  /// - Throws: a `PostgresError` that says why there is no way, and what `look` throws.
  func open() throws -> Session {
    let reason = closed.withLock { closed -> PostgresError? in
      guard let known = closed else { return nil }
      guard known.end < .now else { return known.reason }
      closed?.end = .now + Connection.timeout
      return nil
    }
    if let reason { throw reason }
    do {
      let session = try Session(with: address)
      try look(session)
      closed.withLock { $0 = nil }
      return session
    } catch let error as PostgresError {
      closed.withLock { closed in
        let pause = min(closed.map { $0.pause * 2 } ?? Self.firstPause, Self.longestPause)
        closed = Closed(reason: error, end: .now + pause, pause: pause)
      }
      throw error
    }
  }
}
