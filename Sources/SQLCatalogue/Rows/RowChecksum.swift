import CChecksum
import Items
import Synchronization
import Views

/// The CRC-32C of a row with its key. It finds changes of the content and of the place.
///
/// The columns are added in order: a number as eight bytes, a text or bytes after their length.
///
/// - Complexity: O(bytes), about 0.3 ns each with the instruction of the processor.
package struct RowChecksum {
  private var crc = UInt32.max

  package init() {}

  package init(of values: some Sequence<SQLValue>) {
    for value in values {
      switch value {
      case .null: add(nil as Int64?)
      case .integer(let number): add(number)
      case .text(var text): text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
      case .utf8(let bytes), .bytes(let bytes): bytes.withUnsafeBytes { add($0) }
      }
    }
  }

  package mutating func add(_ number: Int64?) {
    // NULL counts as the least number, which no column holds.
    withUnsafeBytes(of: (number ?? .min).littleEndian) {
      crc = carousel_crc32c(crc, $0.baseAddress, $0.count)
    }
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes else { return add(nil as Int64?) }
    add(Int64(bytes.count))
    crc = carousel_crc32c(crc, bytes.baseAddress, bytes.count)
  }

  private mutating func add(_ row: any SQLRow, _ column: Int) throws {
    if row.isNull(column) {
      add(nil as Int64?)
    } else if row.isInteger(column) {
      add(try row.integer(column))
    } else {
      try row.withBytes(column) { add($0) }
    }
  }

  /// - Parameter key: a value that is added before the columns.
  init(of row: any SQLRow, _ columns: PartialRangeUpTo<Int>, key: Int64?) throws {
    if let key { add(key) }
    for column in 0..<columns.upperBound { try add(row, column) }
  }

  /// The checksum as a signed number of 32 bits, which takes at most four bytes in SQLite.
  package var value: Int64 { Int64(Int32(bitPattern: ~crc)) }
}

/// Runs `body`, adds the strip and the row to an error of damage, and counts the error. An error that names a strip was
/// counted before.
///
/// - Parameter row: such as `the item "a6"`; nil for the strip.
func withCorruptionContext<Value>(
  _ row: @autoclosure () -> String? = nil, of strip: @autoclosure () -> String,
  _ body: () throws -> Value
) throws -> Value {
  do {
    return try body()
  } catch CatalogueError.corrupt(let sentence, strip: nil),
    CatalogueError.invalid(let sentence)
  {
    throw CatalogueError.damaged(row(), of: strip(), sentence)
  }
}

/// Adds the strip to an error of damage that has none, such as that of a malformed page, and counts it.
func withStripContext<Value>(of strip: String, _ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch CatalogueError.corrupt(let sentence, strip: nil) {
    throw CatalogueError.damaged(of: strip, sentence)
  }
}

extension CatalogueError {
  static func damaged(
    _ part: String? = nil, of strip: String, _ sentence: String
  ) -> CatalogueError {
    damagedRows.add(1, ordering: .relaxed)
    let suffix = part.map { ": \($0)" } ?? ""
    return .corrupt("the strip \"\(strip)\"\(suffix) is damaged: \(sentence)", strip: strip)
  }
}

let damagedRows = Atomic(0)
