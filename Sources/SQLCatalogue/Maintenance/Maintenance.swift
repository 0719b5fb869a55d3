import Catalogue
@preconcurrency package import Dispatch
package import Items
import Synchronization

/// Compacts geometries whose log is long, and deletes rows that no reader needs, in short transactions.
///
/// A server runs it one second after a change, and daily, because keys and lists expire without a change. `carousel edit`
/// runs it after its change, for a few seconds at most. `carousel import` runs it to the end, because an import can
/// supersede as much as it writes.
package final class Maintenance: Sendable {
  private struct State {
    var strips: Set<String> = []
    /// Whether a run begins within a second.
    var isScheduled = false
    /// Whether there can be keys and lists of removed strips: after a start, and after a removal.
    var hasOrphans = true
    var isClosed = false
    /// Why the last run in the background failed.
    var failure: String?
  }

  private let database: any SQLDatabase
  private let isServer: Bool
  private let listDays: Int?
  private let time: Duration
  private let recordUses: @Sendable () throws(CatalogueError) -> Void
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.maintenance", qos: .utility)
  /// Fires once after each `schedule`.
  private let timer: any DispatchSourceTimer
  private let retryPause: DispatchTimeInterval

  /// The number of chunks that one transaction compacts, and of items that it deletes.
  private static let (chunkCount, itemCount) = (8, 100)

  /// - Parameters:
  ///   - listDays: the days after which an unused list is deleted; nil for never.
  ///   - recordUses: records the uses of lists by this process, before unused lists are deleted.
  ///   - log: gets a sentence when a run in the background fails, once until it fails differently.
  ///   - time: the length of a run, which has at least one step. A command ends after it. A server schedules the next run.
  ///   - retryPause: the time after which a server repeats a run that failed.
  package init(
    _ database: any SQLDatabase, isServer: Bool, listDays: Int? = nil,
    time: Duration = .seconds(5), retryPause: DispatchTimeInterval = .seconds(60),
    recordUses: @escaping @Sendable () throws(CatalogueError) -> Void = {},
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.database = database
    self.isServer = isServer
    self.listDays = listDays
    self.time = time
    self.recordUses = recordUses
    self.log = log
    self.retryPause = retryPause
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.runInBackground() }
    timer.activate()
  }

  deinit { timer.cancel() }

  func schedule(_ row: StripRow? = nil) {
    if let row, GeometryCompaction.isDue(row) {
      state.withLock { _ = $0.strips.insert(row.name) }
    }
    if isServer {
      scheduleTimer(isSoon: true, after: .seconds(1))
    } else {
      // A failure is ignored, because the change is committed.
      try? run(.scheduled)
    }
  }

  /// Has no effect if a run is scheduled for a change.
  private func scheduleTimer(isSoon: Bool, after pause: DispatchTimeInterval) {
    state.withLock { state in
      guard !state.isScheduled else { return }
      state.isScheduled = isSoon
      timer.schedule(deadline: .now() + pause)
    }
  }

  private func runInBackground() {
    var failure: String?
    do throws(CatalogueError) {
      try run(.scheduled)
    } catch {
      failure = error.description
    }
    let isNew = state.withLock { [failure] state in
      defer { state.failure = failure }
      return state.failure != failure
    }
    if let failure, isNew {
      log("Old rows stay in the database, because maintenance fails: \(failure)")
    }
  }

  func scheduleOrphans() {
    state.withLock { $0.hasOrphans = true }
    schedule()
  }

  package func close() {
    state.withLock { $0.isClosed = true }
    timer.cancel()
    queue.sync {}
  }

  package enum Scope {
    /// Compacts the strips that were changed here.
    case scheduled
    /// Compacts all strips that are due, and deletes to the end.
    case due
  }

  package func run(_ scope: Scope) throws(CatalogueError) {
    let scheduled = state.withLock { state in
      state.isScheduled = false
      return state.strips
    }
    let end = scope == .scheduled ? ContinuousClock.now + time : nil
    var (isClean, isRetryDue, failure) = (true, false, nil as CatalogueError?)
    func fail(_ error: CatalogueError) {
      failure = failure ?? error
      if case .corrupt = error { return }
      isRetryDue = true
    }
    // Runs a part. One that fails does not stop the others.
    func attempt(_ part: () throws(CatalogueError) -> Bool) {
      do throws(CatalogueError) {
        if try !part() { isClean = false }
      } catch {
        fail(error)
      }
    }
    attempt { () throws(CatalogueError) in
      try database.maintain { try CompactionLease.discardExpired($0) }
      return try repeating(until: end) { try ExpiredRows.deleteKeys($0) }
    }
    if let listDays, isClean {
      attempt { () throws(CatalogueError) in
        try recordUses()
        return try repeating(until: end) { try ExpiredRows.deleteLists(days: listDays, $0) }
      }
    }
    if isClean, state.withLock({ $0.hasOrphans }) {
      // Before the steps: a removal in between sets it again.
      state.withLock { $0.hasOrphans = false }
      var isDone = false
      attempt { () throws(CatalogueError) in
        isDone = try repeating(until: end) { try ExpiredRows.deleteOrphans($0) }
        return isDone
      }
      if !isDone { state.withLock { $0.hasOrphans = true } }
    }
    var names = scheduled.sorted()
    if scope == .due {
      attempt { () throws(CatalogueError) in
        names = try uncompactedStrips()
        return true
      }
    }
    for name in names {
      // Before the compaction, so that a concurrent change schedules the strip again.
      state.withLock { _ = $0.strips.remove(name) }
      do throws(CatalogueError) {
        try compact(name)
      } catch {
        // A damaged strip is not tried again, and does not stop the maintenance of others.
        fail(error)
        if case .corrupt = error { continue }
        state.withLock { _ = $0.strips.insert(name) }
      }
    }
    attempt { () throws(CatalogueError) in
      try repeating(until: end) { try DeletionQueue.step(count: Self.itemCount, $0) }
    }
    if isServer {
      let pause = isRetryDue ? retryPause : .seconds(86_400)
      scheduleTimer(isSoon: !isClean, after: isClean ? pause : .seconds(1))
    }
    if let failure { throw failure }
  }

  private func compact(_ name: String) throws(CatalogueError) {
    let due = try database.read { session -> (strip: StripRow, changes: GeometryChanges)? in
      guard let strip = try StripRow.fetch(session, name: name),
        GeometryCompaction.isDue(strip),
        try !CompactionLease.exists(of: strip, session)
      else { return nil }
      return (strip, try GeometryCompaction.changes(of: strip, session))
    }
    guard let due else { return }
    var compaction = try database.maintain { session in
      try GeometryCompaction(of: due.strip, due.changes, session)
    }
    let steps = Result { () throws(CatalogueError) in
      // No time limit: an unfinished compaction would start over.
      try repeating(until: nil) { try compaction.step(chunks: Self.chunkCount, $0) }
    }
    if (try? steps.get()) != true {
      try? database.maintain { [compaction] in try compaction.discard($0) }
    }
    _ = try steps.get()
  }

  private func uncompactedStrips() throws(CatalogueError) -> [String] {
    try database.read { session in
      try session.map("SELECT name FROM strip WHERE uncompacted_changes > 0 ORDER BY place") {
        try $0.text(0)
      }
    }
  }

  /// Runs `step` in transactions of its own until it returns false.
  ///
  /// - Returns: false if the time is over, or maintenance is closed.
  @discardableResult
  private func repeating(
    until end: ContinuousClock.Instant?, _ step: (any SQLSession) throws -> Bool
  ) throws(CatalogueError) -> Bool {
    while !state.withLock({ $0.isClosed }) {
      guard try database.maintain(step) else { return true }
      if let end, ContinuousClock.now >= end { break }
    }
    return false
  }
}
