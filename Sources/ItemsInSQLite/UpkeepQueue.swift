import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import Synchronization

/// Does the upkeep of a database beside its changes: a second after one at the latest, step by step
/// on the same connection; and takes what the log holds into the file on a connection of its own.
///
///     change, change, change  ── 1 s ──  the log is taken in     ── 30 s ──  its file is empty
///                                        and begins anew, over
///                                        the blocks that it has
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
    /// When the log was taken in.
    var lastTaking = ContinuousClock.now
  }

  /// A log of so many bytes is taken in also while changes are made.
  private static let longLog = 64 << 20
  /// After a pause of so many seconds the log's room is given back. Changes that come earlier write over
  /// the blocks that it has, which is less work for the system than new ones; later these may no longer
  /// be in memory, and would have to be read first, since what is written ends amid the system's pages.
  private static let longPause = 30

  private let writer: DatabaseQueue
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.upkeep", qos: .utility)
  /// A connection beside the writer's: it takes the log in, and reads what upkeep is to do.
  private let second: DatabaseQueue?
  /// Left when both connections are closed.
  private let ended: DispatchGroup

  /// - Parameters:
  ///   - writer: the connection that changes are made on; it is closed with this.
  ///   - ended: is entered, and left when that is done.
  init(_ writer: DatabaseQueue, ended: DispatchGroup = DispatchGroup()) {
    self.writer = writer
    self.ended = ended
    ended.enter()
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    second = try? DatabaseQueue(path: writer.path, configuration: configuration)
  }

  /// Closes both connections, when no change is being made and no step is under way.
  deinit {
    try? second?.close()
    try? writer.close()
    ended.leave()
  }

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
      if isLogLong { takeInLog() }
      giveWay(begin)
    }
    if pause >= .seconds(1) || isLogLong { takeInLog() }
    let isDone = state.withLock { state in
      state.isScheduled = isBusy || state.isBusy
      return !state.isScheduled
    }
    if isDone { giveRoomBackLater() } else { schedule() }
  }

  /// Waits until no change has been made for a moment, a tenth of a second at most; where upkeep began
  /// long ago, for so long only that most of the time is left to the changes.
  private func giveWay(_ begin: ContinuousClock.Instant) {
    let now = ContinuousClock.now
    let patience: Duration = now - begin < .seconds(10) ? .milliseconds(100) : .milliseconds(10)
    while pause < .milliseconds(20), ContinuousClock.now - now < patience { usleep(1000) }
  }

  /// For how long no change has been made.
  private var pause: Duration {
    state.withLock { $0.changes > 0 ? .zero : ContinuousClock.now - $0.lastChange }
  }

  /// Whether much may be in the log: its file does not become shorter where it begins anew.
  private var isLogLong: Bool {
    guard ContinuousClock.now - state.withLock({ $0.lastTaking }) >= .seconds(1) else {
      return false
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: writer.path + "-wal")
    return attributes?[.size] as? Int ?? 0 > Self.longLog
  }

  /// Takes what the log holds into the file; changes need not wait. Where all of it was taken in and
  /// nobody reads in it, the next change begins it anew.
  func takeInLog() {
    try? second?.writeWithoutTransaction { db in
      // Each time less has come meanwhile.
      for _ in 0..<5 {
        let log = try db.checkpoint(.passive)
        guard log.checkpointedFrameCount < log.walFrameCount else { return }
      }
    }
    state.withLock { $0.lastTaking = .now }
  }

  private func giveRoomBackLater() {
    queue.asyncAfter(deadline: .now() + .seconds(Self.longPause)) { [weak self] in
      guard let self, pause >= .seconds(Self.longPause) else { return }
      giveRoomBack()
    }
  }

  /// Takes the whole log in and makes its file empty; changes wait for the last of that.
  func giveRoomBack() {
    takeInLog()
    // On the writer's connection: by another, it would forget the pages that it has in memory. After a
    // change that waits a second for others, as a step of upkeep does.
    try? writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
  }
}

extension Upkeep {
  /// So long a command stays for upkeep, after what it has come for.
  static let patienceOfCommands = Duration.seconds(5)

  /// Does all that there is to do, each step a transaction of its own.
  ///
  /// What a step has written need not be on the disk before the next change is: lost, it is done
  /// again.
  ///
  /// - Parameters:
  ///   - reading: a connection of its own to read on, so that `queue` is free meanwhile.
  ///   - patience: what is not done by then is left to whoever writes next.
  static func run(
    on queue: DatabaseQueue, reading: DatabaseQueue? = nil, isIdle: Bool, patience: Duration? = nil,
    beforeEach: () -> Void = {}
  ) throws {
    let reader = reading ?? queue
    let end = patience.map { ContinuousClock.now + $0 }
    var upkeep: Upkeep? = try reader.read { try Upkeep($0, isIdle: isIdle) }
    while upkeep != nil, end.map({ ContinuousClock.now < $0 }) ?? true {
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
