@preconcurrency import Dispatch
import Foundation
import GRDB
import Items
import Synchronization

/// Does the upkeep of a database beside its changes: a second after one at the latest, step by step
/// on the same connection; and takes what the log holds into the file on a connection of its own.
///
/// Upkeep gives way: while one change follows another it does a step now and then, of a millisecond
/// or two, and only where it is late it goes on regardless. A change waits for one step at most, and
/// for the log only where that has become as long as `SQLiteEditor` lets it be.
final class UpkeepQueue: Sendable {
  private struct State {
    var isScheduled = false
    /// Whether a change was made since the last look.
    var isBusy = false
    /// How many changes are being made, or wait for the connection.
    var changes = 0
    var lastChange = ContinuousClock.now
  }

  /// A log of so many bytes is taken in; while changes are made, of more.
  private static let longLog = 16 << 20
  private static let longerLog = 64 << 20

  private let writer: DatabaseQueue
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.upkeep", qos: .utility)
  /// A connection beside the writer's: it takes the log in, and reads what upkeep is to do.
  private let second: DatabaseQueue?

  /// - Parameter writer: the connection that changes are made on.
  init(_ writer: DatabaseQueue) {
    self.writer = writer
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    second = try? DatabaseQueue(path: writer.path, configuration: configuration)
  }

  deinit { try? second?.close() }

  /// Makes a change, and has upkeep follow it.
  func changing<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.changes += 1 }
    defer {
      let isFirst = state.withLock { state in
        defer { state.isScheduled = true }
        state.changes -= 1
        state.isBusy = true
        state.lastChange = .now
        return !state.isScheduled
      }
      if isFirst { schedule() }
    }
    return try body()
  }

  private func schedule() {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.look() }
  }

  private func look() {
    let isBusy = state.withLock { state in
      defer { state.isBusy = false }
      return state.isBusy
    }
    let begin = ContinuousClock.now
    // What cannot be done now is tried again after the next change.
    try? Upkeep.run(on: writer, reading: second, isIdle: !isBusy) { [self] in
      takeInLog()
      giveWay(begin)
    }
    takeInLog()
    let isDone = state.withLock { state in
      state.isScheduled = isBusy || state.isBusy
      return !state.isScheduled
    }
    if !isDone { schedule() }
  }

  /// Waits until no change has been made for a moment, a tenth of a second at most; where upkeep began
  /// long ago, for so long only that most of the time is left to the changes.
  private func giveWay(_ begin: ContinuousClock.Instant) {
    let now = ContinuousClock.now
    let patience: Duration = now - begin < .seconds(10) ? .milliseconds(100) : .milliseconds(10)
    while isChanging, ContinuousClock.now - now < patience { usleep(1000) }
  }

  private var isChanging: Bool {
    state.withLock { $0.changes > 0 || ContinuousClock.now - $0.lastChange < .milliseconds(20) }
  }

  private func takeInLog() {
    let isBusy = state.withLock {
      $0.changes > 0 || ContinuousClock.now - $0.lastChange < .seconds(1)
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: writer.path + "-wal")
    guard let size = attributes?[.size] as? Int, size > (isBusy ? Self.longerLog : Self.longLog)
    else { return }
    guard isBusy else { return giveRoomBack() }
    try? second?.writeWithoutTransaction { db in
      // Each time less has come meanwhile. The log begins anew where nothing is left.
      for _ in 0..<5 {
        let log = try db.checkpoint(.passive)
        guard log.checkpointedFrameCount < log.walFrameCount else { return }
      }
    }
  }

  /// Takes the whole log in and makes its file empty; changes wait for that.
  func giveRoomBack() {
    try? second?.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
  }
}

extension Upkeep {
  /// Does all that there is to do, each step a transaction of its own.
  ///
  /// What a step has written need not be on the disk before the next change is: lost, it is done
  /// again.
  ///
  /// - Parameter reading: a connection of its own to read on, so that `queue` is free meanwhile.
  static func run(
    on queue: DatabaseQueue, reading: DatabaseQueue? = nil, isIdle: Bool,
    beforeEach: () -> Void = {}
  ) throws {
    let reader = reading ?? queue
    var upkeep: Upkeep? = try reader.read { try Upkeep($0, isIdle: isIdle) }
    while upkeep != nil {
      if upkeep?.isUnprepared == true { try reader.read { try upkeep?.prepare($0) } }
      beforeEach()
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
