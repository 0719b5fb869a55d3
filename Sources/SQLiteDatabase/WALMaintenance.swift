import Catalogue
@preconcurrency package import Dispatch
import Foundation
package import GRDB
import GRDBSQLite
import Synchronization

/// Checkpoints SQLite's write-ahead log concurrently with the edits.
///
///     edit, edit, edit  ── 1 s ──  checkpoint: the log begins     ── 30 s ──  the log's file is
///                                  again, in the same blocks                 truncated
///
/// Under steady reads, SQLite never restarts the log, because a connection always reads it. So when the log reaches three
/// quarters of its limit, the next edit completes a checkpoint, and waits for the reads that still use the log. Reads that
/// begin after the checkpoint use the file alone.
package final class WALMaintenance: Sendable {
  private struct State {
    /// The number of edits that run or wait for the connection.
    var edits = 0
    var lastEdit = ContinuousClock.now
    /// Whether something was written since the last checkpoint began.
    var isWritten = false
    var hasLog = false
    var lastCheckpoint = ContinuousClock.now
    var lastStep: ContinuousClock.Instant?
    /// The first step of the current series of maintenance.
    var firstStep = ContinuousClock.now
    /// The end of the pause after a wait for reads that did not end.
    var nextRestart = ContinuousClock.now

    var pause: Duration { edits > 0 ? .zero : ContinuousClock.now - lastEdit }
  }

  /// In bytes. A longer log is checkpointed also while edits are made.
  private static let longLog = 64 << 20
  /// The time without edits after which the log is truncated. Until then, new edits overwrite its blocks, which is faster
  /// than to allocate new ones. Later the blocks may have left the page cache.
  private static let longPause = Duration.seconds(30)
  /// The longest time that an edit waits for reads.
  private static let longestWait = Duration.seconds(1)
  /// After an edit has waited and the reads have not ended, no edit waits for this time. So a read that does not end
  /// delays edits for at most a tenth of the time.
  private static let pauseAfterWait = Duration.seconds(10)

  private let writer: DatabaseQueue
  /// The number of pages in the log from which on an edit restarts it.
  private let longestPages: Int
  /// The number of pages in the log after the last commit of the writer.
  private let pages = Atomic(0)
  private let state = Mutex(State())
  /// Held during a checkpoint: SQLite has one at a time.
  private let checkpointing = Mutex(())
  private let timer: any DispatchSourceTimer
  private let connection: DatabaseQueue
  private let ended: DispatchGroup

  /// - Parameters:
  ///   - writer: is closed before this object is released.
  ///   - limit: the greatest length of the log, in bytes.
  /// - Throws: if the connection for checkpoints cannot be opened.
  package init(_ writer: DatabaseQueue, limit: Int = 128 << 20, ended: DispatchGroup) throws {
    self.writer = writer
    longestPages = limit / 4 * 3 / Schema.pageSize
    connection = try DatabaseQueue(path: writer.path, configuration: Configuration(timeout: 1))
    self.ended = ended
    ended.enter()
    timer = DispatchSource.makeTimerSource(
      queue: DispatchQueue(label: "carousel.wal", qos: .utility))
    timer.setEventHandler { [weak self] in self?.tick() }
    timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
    timer.activate()
    // This replaces SQLite's own checkpoints.
    writer.writeWithoutTransaction { db in
      _ = sqlite3_wal_hook(
        db.sqliteConnection,
        { context, _, _, count in
          if let context {
            let wal = Unmanaged<WALMaintenance>.fromOpaque(context).takeUnretainedValue()
            wal.pages.store(Int(count), ordering: .relaxed)
          }
          return SQLITE_OK
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  deinit {
    timer.cancel()
    try? connection.close()
    ended.leave()
  }

  func beginEdit() {
    state.withLock { $0.edits += 1 }
  }

  func endEdit() {
    state.withLock { state in
      state.edits -= 1
      state.lastEdit = .now
      (state.isWritten, state.hasLog) = (true, true)
    }
  }

  /// Waits before a step of maintenance, so that edits are not delayed: until there was no edit for 20 ms.
  ///
  /// The wait is at most 100 ms. After ten seconds of a series of steps it is at most 10 ms, so that the series ends. Steps
  /// are in one series if at most three seconds are between them.
  func waitForStep() {
    let now = ContinuousClock.now
    let isLate = state.withLock { state in
      if state.lastStep.map({ now - $0 > .seconds(3) }) ?? true { state.firstStep = now }
      state.lastStep = now
      (state.isWritten, state.hasLog) = (true, true)
      return now - state.firstStep > .seconds(10)
    }
    if isLogLong { checkpoint() }
    let limit: Duration = isLate ? .milliseconds(10) : .milliseconds(100)
    while state.withLock({ $0.pause }) < .milliseconds(20), ContinuousClock.now - now < limit {
      usleep(1000)
    }
  }

  /// Makes a long log begin again, before a change on the writer's connection. It waits for the reads that need the log.
  /// The log has no writer during the wait, so reads that begin in this time do not need it.
  func restartIfLong(_ db: Database) {
    guard pages.load(ordering: .relaxed) >= longestPages,
      state.withLock({ $0.nextRestart <= .now })
    else { return }
    // SQLite waits until a read mark is free, and new readers can take that mark again. So an attempt waits for 20 ms at
    // most. The next one finds other marks.
    sqlite3_busy_timeout(db.sqliteConnection, 20)
    defer { sqlite3_busy_timeout(db.sqliteConnection, 1000) }
    let end = ContinuousClock.now + Self.longestWait
    repeat {
      // A checkpoint in the background can take longer than the edit may wait. The next edit tries again.
      guard
        let isRestarted = checkpointing.withLockIfAvailable({ _ in
          (try? db.checkpoint(.restart)) != nil
        })
      else { return }
      if isRestarted { return pages.store(0, ordering: .relaxed) }
      usleep(1000)
    } while ContinuousClock.now < end
    state.withLock { $0.nextRestart = .now + Self.pauseAfterWait }
  }

  private func tick() {
    let (pause, isWritten, hasLog) = state.withLock { ($0.pause, $0.isWritten, $0.hasLog) }
    if hasLog, pause >= Self.longPause {
      truncate()
    } else if isWritten, pause >= .seconds(1) || isLogLong {
      checkpoint()
    }
  }

  /// The file of a log that restarts keeps its size.
  private var isLogLong: Bool {
    guard ContinuousClock.now - state.withLock({ $0.lastCheckpoint }) >= .seconds(1) else {
      return false
    }
    return FileStatus(path: writer.path + "-wal")?.size ?? 0 > Self.longLog
  }

  /// Copies the log into the file while edits continue. If no connection reads the log, the next edit restarts it.
  package func checkpoint() {
    state.withLock { $0.isWritten = false }
    let hasFailed = checkpointing.withLock { _ in
      let result: Void? = try? connection.writeWithoutTransaction { db in
        // Edits add less during each checkpoint than during the one before it.
        for _ in 0..<5 {
          let result = try db.checkpoint(.passive)
          guard result.checkpointedFrameCount < result.walFrameCount else { return }
        }
      }
      return result == nil
    }
    state.withLock { state in
      state.lastCheckpoint = .now
      // The next tick tries again.
      if hasFailed { state.isWritten = true }
    }
  }

  /// Copies the whole log and truncates its file. Edits wait for the last part.
  package func truncate() {
    state.withLock { $0.hasLog = false }
    checkpoint()
    // On the writer's connection: it would discard its page cache after a checkpoint of another one.
    writer.writeWithoutTransaction { db in
      guard (try? db.checkpoint(.truncate)) == nil else { return }
      // A read holds the log. The next attempt is after another long pause. An edit that has waited for this one does not
      // wait for the read again.
      state.withLock {
        ($0.hasLog, $0.lastEdit, $0.nextRestart) = (true, .now, .now + Self.pauseAfterWait)
      }
    }
  }
}
