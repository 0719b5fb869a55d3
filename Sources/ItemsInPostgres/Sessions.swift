import Catalogue
import Synchronization

/// Sessions with one database: lent to one thread at a time, kept for the next, and opened anew
/// where they are lost.
final class Sessions: Sendable {
  let address: Address
  private let door: ConnectionBackoff
  private let idle = Mutex<[Lent]>([])
  /// No more are kept than may be wanted at once.
  private let limit: Int

  /// A session on its way from thread to thread.
  private struct Lent: @unchecked Sendable {
    // In the list nobody uses it, and who takes it out has it alone.
    let session: Session
  }

  /// - Parameters:
  ///   - limit: how many are kept open.
  ///   - look: is shown each session that is opened, and throws where it is none that is wanted.
  init(
    _ address: Address, limit: Int, look: @escaping @Sendable (Session) throws -> Void = { _ in }
  ) {
    self.address = address
    self.limit = limit
    door = ConnectionBackoff(to: address, look: look)
  }

  /// Sessions with a catalogue, brought to this program's version where it is an older one's.
  static func ofCatalogue(_ address: Address, limit: Int) -> Sessions {
    Sessions(address, limit: limit) { try Schema.check($0, address) }
  }

  /// The same, for whoever changes its strips.
  static func ofWriter(_ address: Address, limit: Int) -> Sessions {
    Sessions(address, limit: limit) { session in
      try Schema.check(session, address)
      if try Restoration.isDue(session) {
        try session.transaction { try Restoration.goOn(session) }
      }
    }
  }

  /// A sentence that says that the database is away, if it is: nobody takes connections there.
  ///
  /// - Throws: what else is wrong with it.
  func absence() throws(CatalogueError) -> String? {
    try catching(address) {
      do {
        try lending { _ in }
        return nil
      } catch let error as PostgresError where error.isAway {
        return CatalogueError(error, address).description
      }
    }
  }

  /// Lends a session to `body`, which does no more than read: where the connection turns out to be
  /// lost it is done again, once, with a new one, unless nobody is there.
  func read<Result>(_ body: (Session) throws -> Result) throws(CatalogueError) -> Result {
    try catching(address) {
      do {
        return try lending(body)
      } catch let error as PostgresError where (error.isLost || error.isEnding) && !error.isAway {
        return try lendingFresh(body)
      }
    }
  }

  /// Lends a session for a change: `body` runs in a transaction. Where the connection turns out to
  /// be lost before anything was done, it is begun anew.
  ///
  /// - Parameter deadline: until when it waits for what others have locked; without one, as long as a
  ///   session waits anyway.
  func write<Result>(
    by deadline: WriteDeadline? = nil, _ body: (Session) throws -> Result
  ) throws(CatalogueError) -> Result {
    func change(_ session: Session) throws -> Result {
      try deadline.map(session.wait)
      return try body(session)
    }
    return try catching(address) {
      var hasBegun = false
      do {
        return try lending { session in
          try session.transaction {
            hasBegun = true
            return try change(session)
          }
        }
      } catch let error as PostgresError
        where (error.isLost || error.isEnding) && !error.isAway && !hasBegun
      {
        return try lendingFresh { session in try session.transaction { try change(session) } }
      }
    }
  }

  private func lending<Result>(_ body: (Session) throws -> Result) throws -> Result {
    do {
      return try lend(idle.withLock { $0.popLast() }?.session ?? door.open(), body)
    } catch let error as PostgresError where error.isAway {
      // Whoever had one of these would find out as slowly.
      idle.withLock { $0 = [] }
      throw error
    }
  }

  /// What was kept is as old as what has just been lost.
  private func lendingFresh<Result>(_ body: (Session) throws -> Result) throws -> Result {
    idle.withLock { $0 = [] }
    return try lend(door.open(), body)
  }

  private func lend<Result>(
    _ session: Session, _ body: (Session) throws -> Result
  ) throws -> Result {
    defer {
      if !session.isLost {
        let lent = Lent(session: session)
        idle.withLock { if $0.count < limit { $0.append(lent) } }
      }
    }
    return try body(session)
  }
}
