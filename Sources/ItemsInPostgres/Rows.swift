import CPostgreSQL
import Catalogue

/// What a statement has found.
struct Rows: ~Copyable {
  private let handle: OpaquePointer

  /// Owns a result of libpq's.
  init(owning handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  var status: ExecStatusType { PQresultStatus(handle) }

  var count: Int { Int(PQntuples(handle)) }

  /// How many rows a statement has changed.
  var changedCount: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  /// The five letters by which PostgreSQL names an error.
  var state: String? { PQresultErrorField(handle, 67).map { String(cString: $0) } }

  /// What `read` makes of each row; a row is of no use after that.
  func map<Element>(_ read: (Row) throws -> Element) rethrows -> [Element] {
    try (0..<count).map { try read(Row(result: handle, index: Int32($0))) }
  }

  /// What `read` makes of the first row, if there is one.
  func first<Element>(_ read: (Row) throws -> Element) rethrows -> Element? {
    count == 0 ? nil : try read(Row(result: handle, index: 0))
  }
}

/// One row, its values by their columns from 0.
///
/// - Throws: each function `.corrupt` where something else is stored.
struct Row {
  fileprivate let result: OpaquePointer
  fileprivate let index: Int32

  func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, Int32(column)) == 1 }

  /// `smallint`, `integer` or `bigint`.
  func integer(_ column: Int) throws -> Int64 {
    let bytes = try bytes(column) { Array($0) }
    guard [2, 4, 8].contains(bytes.count) else { throw damaged(column) }
    let isNegative = bytes[0] >= 0x80
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  func text(_ column: Int) throws -> String {
    try bytes(column) { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged(column) }
      return text
    }
  }

  func bytes(_ column: Int) throws -> [UInt8] { try bytes(column) { Array($0) } }

  func boolean(_ column: Int) throws -> Bool { try bytes(column) { $0.first == 1 } }

  func optionalInteger(_ column: Int) throws -> Int64? {
    isNull(column) ? nil : try integer(column)
  }

  func optionalText(_ column: Int) throws -> String? { isNull(column) ? nil : try text(column) }

  func optionalBytes(_ column: Int) throws -> [UInt8]? { isNull(column) ? nil : try bytes(column) }

  private func bytes<Value>(
    _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) throws -> Value {
    guard !isNull(column), let value = PQgetvalue(result, index, Int32(column)) else {
      throw damaged(column)
    }
    let count = Int(PQgetlength(result, index, Int32(column)))
    return try value.withMemoryRebound(to: UInt8.self, capacity: count) {
      try body(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  private func damaged(_ column: Int) -> CatalogueError {
    let name = PQfname(result, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    return .corrupt("column \"\(name)\" holds something else")
  }
}
