import Synchronization
import Views

/// Connections that read the items of windows: one for each thread that reads, up to a limit.
final class WindowReaderPool: Sendable {
  private struct State {
    var free: [WindowReaderConnection] = []
    var count = 0
  }

  private let state = Mutex(State())
  private let limit: Int
  private let connect: @Sendable () throws -> WindowReaderConnection

  init(limit: Int, connect: @escaping @Sendable () throws -> WindowReaderConnection) {
    self.limit = limit
    self.connect = connect
  }

  package func read(
    _ sortKeys: [Int64], of strip: Int64, at revision: Int64, _ body: (ItemBytes) -> Void
  ) -> Int {
    guard let connection = borrow() else { return 0 }
    defer { state.withLock { $0.free.append(connection) } }
    return connection.read(sortKeys, of: strip, at: revision, body)
  }

  func endIdleTransactions() {
    let idle = state.withLock { state in
      let end = state.free.partition(by: \.isTooLong)
      defer { state.free.removeSubrange(end...) }
      return Array(state.free[end...])
    }
    for connection in idle { connection.end() }
    state.withLock { $0.free.append(contentsOf: idle) }
  }

  package func close() {
    state.withLock { $0.free = [] }
  }

  private func borrow() -> WindowReaderConnection? {
    let found = state.withLockIfAvailable { state -> (free: WindowReaderConnection?, isNew: Bool) in
      if let free = state.free.popLast() { return (free, false) }
      guard state.count < limit else { return (nil, false) }
      state.count += 1
      return (nil, true)
    }
    guard let found, found.isNew else { return found?.free }
    do {
      return try connect()
    } catch {
      state.withLock { $0.count -= 1 }
      return nil
    }
  }
}
