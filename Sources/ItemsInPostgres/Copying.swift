/// Rows on their way into a table, in the binary form of `COPY`.
///
///     var rows = Copying()
///     rows.add(3) { $0.field(strip); $0.field(position); $0.field(id.utf8) }
///     try session.copy(&rows, "COPY item (strip, position, id) FROM STDIN (FORMAT binary)")
struct Copying {
  private var encoding = Encoding()

  var bytes: [UInt8] { encoding.bytes }

  /// Adds a row of so many fields, which `write` writes.
  mutating func add(_ fields: Int, _ write: (inout Encoding) -> Void) {
    encoding.append(Int16(fields))
    write(&encoding)
  }

  var isEmpty: Bool { encoding.bytes.isEmpty }

  mutating func removeAll() { encoding.removeAll() }

  /// What stands before all rows: the signature, no flags, no more.
  static let head: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

  /// What stands behind them.
  static let tail: [UInt8] = [0xFF, 0xFF]
}
