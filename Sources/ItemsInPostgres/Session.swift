import Catalogue

/// A connection with its prepared statements: what queries are put to.
///
///     let session = try Session(with: address)
///     let names = try session.run("SELECT name FROM strip WHERE place > $1", [.integer(3)])
///       .map { try $0.text(0) }
///
/// Statements are literals, so that nothing can be put into their text. Each is prepared when it is
/// first run; values come and go in binary form.
final class Session {
  private let connection: Connection
  /// By the address of a literal, the name under which it was prepared.
  private var prepared: [UInt: String] = [:]

  /// Each statement goes by an index, whatever it is given: it is planned once, and never to read a
  /// table from end to end, as would be best in one that is still small.
  ///
  /// - Throws: where there is no way to the database.
  init(with address: Address) throws {
    connection = try Connection(to: address)
    try connection.run(
      """
      SET search_path TO carousel, pg_temp;
      SET lock_timeout TO '10s';
      SET idle_in_transaction_session_timeout TO 0;
      SET plan_cache_mode TO force_generic_plan;
      SET enable_seqscan TO off;
      SET jit TO off;
      SET client_min_messages TO warning
      """)
  }

  /// Whether it is of no more use.
  var isLost: Bool { connection.isLost }

  /// Runs a statement to its end.
  @discardableResult
  func run(_ sql: StaticString, _ parameters: [Parameter] = []) throws -> Rows {
    let key = UInt(bitPattern: sql.utf8Start)
    let name = prepared[key] ?? "s\(prepared.count)"
    if prepared[key] == nil {
      try connection.prepare(sql, as: name)
      prepared[key] = name
    }
    return try connection.run(name, parameters)
  }

  /// Runs several statements that take and give nothing.
  func runAll(_ sql: StaticString) throws { try connection.run(sql) }

  /// Makes all that `body` does one transaction: it holds, or nothing of it.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.run("BEGIN")
    return try ending(body)
  }

  /// Lets the transaction that has begun wait for a lock no longer than there is time. It costs a
  /// statement, and so is left out where hardly any of that time is gone.
  func wait(until deadline: WriteDeadline) throws {
    let left = deadline.millisecondsLeft
    guard left < 900 * WriteDeadline.seconds else { return }
    // To PostgreSQL, 0 would be for ever.
    try run("SELECT set_config('lock_timeout', $1, true)", [.text("\(max(1, left))")])
  }

  /// Lets all that `body` reads be of one moment.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    return try ending(body)
  }

  private func ending<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      // Where this fails as well the connection is lost, and with it the transaction.
      try? connection.run("ROLLBACK")
      throw error
    }
    try connection.run("COMMIT")
    return result
  }

  /// Copies rows into a table; none are left then.
  func copy(_ rows: inout Copying, _ sql: StaticString) throws {
    guard !rows.isEmpty else { return }
    try connection.beginCopy(sql)
    do {
      try connection.put(Copying.head)
      try connection.put(rows.bytes)
      try connection.put(Copying.tail)
    } catch {
      try? connection.endCopy(givingUp: "given up")
      throw error
    }
    try connection.endCopy()
    rows.removeAll()
  }

  /// Hears of what others commit from now on.
  func listen() throws { try connection.run("LISTEN carousel") }

  /// What was heard of since the last time; waits for it, but no longer than `milliseconds`.
  func notifications(within milliseconds: Int32) throws -> [String] {
    try connection.notifications(within: milliseconds)
  }
}
