import Catalogue
@preconcurrency import Dispatch
import SQLCatalogue
import Synchronization

/// Reports changes of a SQLite file that any process commits.
///
/// Four times a second it asks for `PRAGMA data_version`. If it has changed, it reads the new rows of the table
/// `outbox`.
final class ChangeObserver: Sendable {
  private struct State {
    /// `data_version` at the last read of notifications; nil if everything may have changed.
    var version: Int?
    /// `schema_version` then: a backup that is restored into the file has another one.
    var schema: Int64?
    /// The number of the last notification.
    var last: Int64 = 0
    var lastPeriodicReport = ContinuousClock.now
  }

  private static let interval = DispatchTimeInterval.milliseconds(250)
  private static let periodicInterval = Duration.seconds(5)
  /// The least number of rows in `outbox`: as many as one transaction can write.
  private static let outboxCount = 1000

  private let handler: ChangeHandler
  private let state = Mutex(State())
  private let timer: any DispatchSourceTimer

  init(_ file: SQLiteFile, _ handler: @escaping ChangeHandler) {
    self.handler = handler
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "carousel.changes"))
    timer.setEventHandler { [weak self, weak file] in
      if let self, let file { tick(file) }
    }
    timer.schedule(deadline: .now(), repeating: Self.interval)
    timer.activate()
  }

  deinit { timer.cancel() }

  private func tick(_ file: SQLiteFile) {
    file.endIdleTransactions()
    var next = state.withLock { $0 }
    file.checkPath()
    do {
      let version = try file.dataVersion()
      if next.version != version {
        for notification in try read(file, &next) { try handler(notification) }
        next.version = version
      }
      if ContinuousClock.now - next.lastPeriodicReport > Self.periodicInterval {
        file.probeSpace()
        try handler(.periodic)
        next.lastPeriodicReport = .now
      }
    } catch {
      next.version = nil
    }
    state.withLock { [next] in $0 = next }
  }

  /// Reads the notifications after the last one. The result is `.resync` if some are missing, or if a backup was restored,
  /// because its notifications have another history.
  private func read(_ file: SQLiteFile, _ state: inout State) throws -> Set<ChangeNotification> {
    let rows = try file.readStatement { session in
      let schema = try session.first("PRAGMA schema_version") { try $0.integer(0) }
      if schema != state.schema { (state.schema, state.last, state.version) = (schema, 0, nil) }
      return try session.map(
        "SELECT number, name FROM outbox WHERE number > $1 ORDER BY number", [.integer(state.last)]
      ) { (number: try $0.integer(0), name: try $0.text(1)) }
    }
    let isComplete = rows.first.map { $0.number == state.last &+ 1 } ?? true
    state.last = rows.last?.number ?? state.last
    guard state.version != nil, isComplete else { return [.resync] }
    return Set(rows.map { ChangeNotification(text: $0.name) })
  }

  static func write(_ notifications: [ChangeNotification], _ session: SQLiteSession) throws {
    for name in ChangeNotification.texts(of: notifications) {
      let number = try session.first(
        "INSERT INTO outbox (name) VALUES ($1) RETURNING number", [.text(name)]
      ) { try $0.integer(0) }
      if let number, number.isMultiple(of: 256) {
        try session.run(
          "DELETE FROM outbox WHERE number <= $1", [.integer(number - Int64(outboxCount))])
      }
    }
  }
}
