import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import Synchronization

/// Checkpoints SQLite's write-ahead log beside the edits.
///
///     edit, edit, edit  ── 1 s ──  checkpoint: the log begins     ── 30 s ──  the log's file is
///                                  again, in the same blocks                 truncated
///
/// Checkpoints run on a connection of their own. An edit waits for one only if the log has reached the
/// limit of `SQLiteFile`.
final class WALMaintenance: Sendable {
  private struct State {
    var isScheduled = false
    /// Whether an edit was made since the last check.
    var isBusy = false
    /// How many edits run or wait for the connection.
    var edits = 0
    var lastEdit = ContinuousClock.now
    var lastCheckpoint = ContinuousClock.now
    /// When the last step of maintenance ran.
    var lastStep: ContinuousClock.Instant?
    /// When the series of steps began that the last step belongs to.
    var firstStep = ContinuousClock.now
  }

  /// In bytes. A longer log is checkpointed also while edits are made.
  private static let longLog = 64 << 20
  /// The pause in edits, in seconds, after which the log is truncated. New edits overwrite the blocks of a
  /// log that is not truncated, which is faster than to allocate new ones. After a longer pause the blocks
  /// may have left the page cache, and would have to be read first.
  private static let longPause = 30

  private let writer: DatabaseQueue
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.wal", qos: .utility)
  /// Runs checkpoints.
  private let connection: DatabaseQueue?
  /// Left when `connection` is closed.
  private let ended: DispatchGroup

  /// - Parameters:
  ///   - writer: the connection that edits run on. Its owner closes it.
  ///   - ended: is entered, and left when the second connection is closed.
  init(_ writer: DatabaseQueue, ended: DispatchGroup) {
    self.writer = writer
    self.ended = ended
    ended.enter()
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    connection = try? DatabaseQueue(path: writer.path, configuration: configuration)
  }

  deinit {
    try? connection?.close()
    ended.leave()
  }

  /// Runs an edit, and schedules a checkpoint.
  func countingWrite<Value>(_ body: () throws -> Value) rethrows -> Value {
    state.withLock { $0.edits += 1 }
    defer {
      state.withLock { state in
        state.edits -= 1
        state.isBusy = true
        state.lastEdit = .now
      }
      schedule()
    }
    return try body()
  }

  /// Waits before a step of maintenance until no edit has been made for 20 ms, at most 100 ms. If steps
  /// have followed one another for ten seconds, it waits at most 10 ms, so that they end. A pause between two
  /// runs of maintenance, of a second, does not count.
  func prepareStep() {
    let now = ContinuousClock.now
    let isLate = state.withLock { state in
      if state.lastStep.map({ now - $0 > .seconds(3) }) ?? true { state.firstStep = now }
      state.lastStep = now
      return now - state.firstStep > .seconds(10)
    }
    if isLogLong { checkpoint() }
    let limit: Duration = isLate ? .milliseconds(10) : .milliseconds(100)
    while pause < .milliseconds(20), ContinuousClock.now - now < limit { usleep(1000) }
    schedule()
  }

  private func schedule() {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.check() }
  }

  private func check() {
    let isBusy = state.withLock { state in
      defer { (state.isBusy, state.isScheduled) = (false, false) }
      return state.isBusy
    }
    if pause >= .seconds(1) || isLogLong { checkpoint() }
    if isBusy { schedule() } else { truncateLater() }
  }

  /// For how long no edit has been made.
  private var pause: Duration {
    state.withLock { $0.edits > 0 ? .zero : ContinuousClock.now - $0.lastEdit }
  }

  /// Whether the log may hold much. Its file stays as long as before when the log restarts.
  private var isLogLong: Bool {
    guard ContinuousClock.now - state.withLock({ $0.lastCheckpoint }) >= .seconds(1) else {
      return false
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: writer.path + "-wal")
    return attributes?[.size] as? Int ?? 0 > Self.longLog
  }

  /// Copies the log into the file; edits need not wait. If all of it was copied and no connection reads
  /// in it, the next edit restarts it.
  func checkpoint() {
    try? connection?.writeWithoutTransaction { db in
      // Edits add less during each checkpoint than during the one before it.
      for _ in 0..<5 {
        let log = try db.checkpoint(.passive)
        guard log.checkpointedFrameCount < log.walFrameCount else { return }
      }
    }
    state.withLock { $0.lastCheckpoint = .now }
  }

  private func truncateLater() {
    queue.asyncAfter(deadline: .now() + .seconds(Self.longPause)) { [weak self] in
      guard let self, pause >= .seconds(Self.longPause) else { return }
      truncate()
    }
  }

  /// Copies the whole log and truncates its file. Edits wait for the last part.
  func truncate() {
    checkpoint()
    // On the writer's connection: it would discard its page cache after a checkpoint of another one.
    try? writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
  }
}

extension SQLiteFile {
  /// 0 if there is no log.
  package var logBytes: Int? {
    var status = stat()
    return stat(name + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }
}
