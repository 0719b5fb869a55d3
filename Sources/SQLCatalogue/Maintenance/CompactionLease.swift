import Items

/// The right of a process to write a new generation of chunks: a row of `compaction`.
///
/// The process renews the lease with each step. If a lease was not renewed for half a minute, other processes delete its
/// generation. Two processes can have a lease for one strip: the first to finish wins, and the other discards its
/// generation.
struct CompactionLease {
  let generation: Int64

  init(of strip: Int64, _ session: any SQLSession) throws {
    generation = try session.nextNumber()
    try session.run(
      "INSERT INTO compaction (generation, strip, last_step) VALUES ($1, $2, $3)",
      [.integer(generation), .integer(strip), .integer(try session.clock())])
  }

  /// - Returns: false if the lease has expired, and another process has discarded the generation. Until the end of the
  ///   transaction no other process can do so.
  func renew(_ session: any SQLSession) throws -> Bool {
    try session.run(
      "UPDATE compaction SET last_step = $1 WHERE generation = $2",
      [.integer(try session.clock()), .integer(generation)]) == 1
  }

  /// - Returns: as `renew`.
  func end(_ session: any SQLSession) throws -> Bool {
    try session.run("DELETE FROM compaction WHERE generation = $1", [.integer(generation)]) == 1
  }

  /// Deletes the generation, unless the lease has ended or expired.
  func discard(_ session: any SQLSession) throws {
    if try end(session) { try DeletionQueue.add(generation: generation, session) }
  }

  static func exists(of strip: StripRow, _ session: any SQLSession) throws -> Bool {
    try session.first(
      "SELECT 1 FROM compaction WHERE strip = $1 LIMIT 1", [.integer(strip.number)]
    ) { _ in true } ?? false
  }

  /// Discards generations whose leases were not renewed for half a minute. A step takes milliseconds, or seconds if it
  /// waits for a lock.
  static func discardExpired(_ session: any SQLSession) throws {
    try discardAll(lastStepBefore: session.clock() - 30_000_000, session)
  }

  /// - Parameter end: microseconds since 1970.
  static func discardAll(lastStepBefore end: Int64, _ session: any SQLSession) throws {
    let generations = try session.map(
      "DELETE FROM compaction WHERE last_step < $1 RETURNING generation", [.integer(end)]
    ) { try $0.integer(0) }
    for generation in generations { try DeletionQueue.add(generation: generation, session) }
  }
}
