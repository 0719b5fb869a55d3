import Items

/// A version of a layout that a process writes: a row of `compaction`.
///
/// If two processes write versions of the layout of one strip, the first to finish wins, and the other discards its own.
struct UnfinishedLayout {
  let number: Int64

  init(of strip: Int64, _ session: any SQLSession) throws {
    number = try session.nextNumber()
    try session.run(
      "INSERT INTO compaction (generation, strip, last_step) VALUES ($1, $2, $3)",
      [.integer(number), .integer(strip), .integer(try session.clock())])
  }

  /// - Returns: false if another process has discarded the layout version. Until the end of the transaction
  ///   no other process can discard it.
  func step(_ session: any SQLSession) throws -> Bool {
    try session.run(
      "UPDATE compaction SET last_step = $1 WHERE generation = $2",
      [.integer(try session.clock()), .integer(number)]) == 1
  }

  func finish(_ session: any SQLSession) throws -> Bool {
    try session.run("DELETE FROM compaction WHERE generation = $1", [.integer(number)]) == 1
  }

  /// Deletes what was written, unless the layout version is finished or discarded.
  func discard(_ session: any SQLSession) throws {
    if try finish(session) { try DeletionQueue.add(layoutVersion: number, session) }
  }

  static func exists(of strip: StripRow, _ session: any SQLSession) throws -> Bool {
    try session.first(
      "SELECT 1 FROM compaction WHERE strip = $1 LIMIT 1", [.integer(strip.number)]
    ) { _ in true } ?? false
  }

  /// Discards layout versions without a step for half a minute. A step takes milliseconds, or seconds if it waits for a
  /// lock.
  static func discardAbandoned(_ session: any SQLSession) throws {
    try discardAll(lastStepBefore: session.clock() - 30_000_000, session)
  }

  /// - Parameter end: microseconds since 1970.
  static func discardAll(lastStepBefore end: Int64, _ session: any SQLSession) throws {
    let versions = try session.map(
      "DELETE FROM compaction WHERE last_step < $1 RETURNING generation", [.integer(end)]
    ) { try $0.integer(0) }
    for layoutVersion in versions { try DeletionQueue.add(layoutVersion: layoutVersion, session) }
  }
}
