@preconcurrency import Dispatch
import Foundation
import GRDB
import Items
import Synchronization

/// Does the upkeep of a database beside its changes: a second after one at the latest, step by step
/// on the same connection, so that a change waits for one step at most; and takes what the log holds
/// into the file on a connection of its own, which no change waits for.
final class UpkeepQueue: Sendable {
  private struct State {
    var isScheduled = false
    /// Whether a change was made since the last look.
    var isBusy = false
  }

  /// A log of so many bytes is taken in; from the second on, changes wait for it.
  private static let longLog = 16 << 20
  private static let longestLog = 512 << 20

  private let writer: DatabaseQueue
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.upkeep", qos: .utility)
  private let checkpointer: DatabaseQueue?

  /// - Parameter writer: the connection that changes are made on.
  init(_ writer: DatabaseQueue) {
    self.writer = writer
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    checkpointer = try? DatabaseQueue(path: writer.path, configuration: configuration)
  }

  deinit { try? checkpointer?.close() }

  /// Takes note of a change.
  func noteChange() {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      state.isBusy = true
      return !state.isScheduled
    }
    if isFirst { schedule() }
  }

  private func schedule() {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.look() }
  }

  private func look() {
    let isBusy = state.withLock { state in
      defer { state.isBusy = false }
      return state.isBusy
    }
    // What cannot be done now is tried again after the next change.
    try? Upkeep.run(on: writer, isIdle: !isBusy)
    takeInLog()
    let isDone = state.withLock { state in
      state.isScheduled = isBusy || state.isBusy
      return !state.isScheduled
    }
    if !isDone { schedule() }
  }

  private func takeInLog() {
    let attributes = try? FileManager.default.attributesOfItem(atPath: writer.path + "-wal")
    guard let size = attributes?[.size] as? Int, size > Self.longLog else { return }
    _ = try? checkpointer?.writeWithoutTransaction { db in
      _ = try db.checkpoint(.passive)
      if size > Self.longestLog { _ = try db.checkpoint(.restart) }
    }
  }
}

extension Upkeep {
  /// Does all that there is to do, each step a transaction of its own.
  ///
  /// What a step has written need not be on the disk before the next change is: lost, it is done
  /// again.
  static func run(on queue: DatabaseQueue, isIdle: Bool) throws {
    var upkeep: Upkeep? = try queue.read { try Upkeep($0, isIdle: isIdle) }
    while upkeep != nil {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = NORMAL")
        defer { try? db.execute(sql: "PRAGMA synchronous = FULL") }
        try db.inTransaction(.immediate) {
          if try upkeep?.step(db) == false { upkeep = nil }
          return .commit
        }
      }
    }
  }
}
