import Catalogue
import Synchronization

/// The connections that windows are read on: as many as threads read at once, up to a limit.
///
/// - Complexity: a lock that is held for some nanoseconds, before a reading and after it.
final class WindowReaders: Sendable {
  private struct State {
    var free: [WindowReader] = []
    /// Connections that were opened, or could not be.
    var count = 0
  }

  private let state = Mutex(State())
  private let path: String
  private let limit: Int

  /// KiB of pages that a connection keeps. What finds the rows of ten million items takes 20 MB, and
  /// is to stay while three times as much is read of the rows themselves.
  private static let cache = 64 << 10

  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Hands out what stands at `positions`, as `WindowReader` does; nothing where all connections are
  /// taken.
  func read(
    _ positions: [Int64], of strip: Int64, at revision: Int64, _ take: (ItemBytes) -> Void
  ) -> Int {
    guard let snapshot = borrow() else { return 0 }
    defer { state.withLock { $0.free.append(snapshot) } }
    return snapshot.read(positions, of: strip, at: revision, take)
  }

  /// Ends the transactions that nobody has ended, since nobody has read since.
  func letGo() {
    state.withLock { state in
      for snapshot in state.free { snapshot.end() }
    }
  }

  /// Closes the connections, none of which is in use.
  func close() {
    state.withLock { $0.free = [] }
  }

  private func borrow() -> WindowReader? {
    let (free, isNew) = state.withLock { state -> (WindowReader?, Bool) in
      if let free = state.free.popLast() { return (free, false) }
      guard state.count < limit else { return (nil, false) }
      state.count += 1
      return (nil, true)
    }
    return isNew ? WindowReader(path: path, cache: Self.cache) : free
  }
}
