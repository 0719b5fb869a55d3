import Catalogue
import Foundation
import Items
import SQLCatalogue
import Synchronization

/// A thread that receives notifications of changes, on a connection of its own.
///
/// A lost connection is reopened after growing pauses. Notifications may be missing then, so `.resync` is reported. A
/// statement checks the connection every few seconds.
final class PostgresChangeObserver: Sendable {
  private let isEnded = Atomic(false)
  /// Whether the last attempt to listen has failed.
  let isDisconnected = Atomic(false)

  /// In seconds.
  private static let firstPause = 0.05
  private static let longestPause = 2.0
  private static let checkInterval = Duration.seconds(5)

  /// - Parameter handler: runs on the thread. If it throws, the connection is reopened.
  /// - Throws: `.unavailable` if the system starts no thread.
  init(_ address: ConnectionString, _ handler: @escaping ChangeHandler) throws(CatalogueError) {
    try startThread { [weak self] in
      var pause = Self.firstPause
      while let listener = self, !listener.isEnded.load(ordering: .relaxed) {
        do {
          try listener.listen(PostgresSession(to: address), handler) { pause = Self.firstPause }
        } catch {
          listener.isDisconnected.store(true, ordering: .relaxed)
          Thread.sleep(forTimeInterval: pause)
          pause = min(2 * pause, Self.longestPause)
        }
      }
    }
  }

  func end() { isEnded.store(true, ordering: .relaxed) }

  /// Reports changes until the end. `began` runs after the first notification.
  private func listen(
    _ session: PostgresSession, _ handler: (ChangeNotification) throws -> Void, _ began: () -> Void
  ) throws {
    try session.runScript("LISTEN carousel")
    isDisconnected.store(false, ordering: .relaxed)
    try handler(.resync)
    began()
    var checked = ContinuousClock.now
    while !isEnded.load(ordering: .relaxed) {
      for text in Set(try session.connection.notifications(within: 200)) {
        try handler(ChangeNotification(text: text))
      }
      guard ContinuousClock.now - checked > Self.checkInterval else { continue }
      try session.runScript("SELECT 1")
      try handler(.periodic)
      checked = .now
    }
  }
}
