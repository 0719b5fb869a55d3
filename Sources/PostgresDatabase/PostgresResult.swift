import CPostgreSQL
import Items
import SQLCatalogue
import Views

/// Owns the handle of libpq.
package final class PostgresResult {
  private let handle: OpaquePointer

  init(owning handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  var status: ExecStatusType { PQresultStatus(handle) }

  var columnCount: Int { Int(PQnfields(handle)) }

  var changedCount: Int {
    // For a SELECT, PostgreSQL counts the rows that it gives.
    guard !String(cString: PQcmdStatus(handle)).hasPrefix("SELECT") else { return 0 }
    return Int(String(cString: PQcmdTuples(handle))) ?? 0
  }

  /// SQLSTATE.
  var state: String? { field("C") }

  var message: String? { field("M") }

  private func field(_ code: Character) -> String? {
    let code = Int32(code.asciiValue ?? 0)
    return PQresultErrorField(handle, code).map { String(cString: $0) }
  }

  func forEach(_ row: (any SQLRow) throws -> Void) throws {
    for index in 0..<PQntuples(handle) { try row(PostgresRow(result: handle, index: index)) }
    // The rows point into the handle.
    withExtendedLifetime(self) {}
  }
}

/// In binary form.
private struct PostgresRow: SQLRow {
  let result: OpaquePointer
  let index: Int32

  func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, Int32(column)) == 1 }

  /// `boolean`, `smallint`, `integer` or `bigint`.
  func isInteger(_ column: Int) -> Bool {
    [TypeOID.boolean, TypeOID.int2, TypeOID.int4, TypeOID.int8].contains(type(of: column))
  }

  func integer(_ column: Int) throws -> Int64 {
    guard isInteger(column) else { throw damaged(column) }
    return try withBytes(column) { bytes in
      let isNegative = bytes.count > 1 && bytes[0] >= 0x80
      return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }
  }

  func text(_ column: Int) throws -> String {
    guard [TypeOID.text, TypeOID.json].contains(type(of: column)) else { throw damaged(column) }
    return try withBytes(column) { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged(column) }
      return text
    }
  }

  func withBytes<Value>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    guard !isNull(column), let value = PQgetvalue(result, index, Int32(column)) else {
      throw damaged(column)
    }
    let count = Int(PQgetlength(result, index, Int32(column)))
    return try body(UnsafeRawBufferPointer(start: value, count: count))
  }

  private func type(of column: Int) -> Oid { PQftype(result, Int32(column)) }

  private func damaged(_ column: Int) -> CatalogueError {
    let name = PQfname(result, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    return .damagedColumn(name)
  }
}

/// The numbers of PostgreSQL's types, as in its `pg_type.dat`.
enum TypeOID {
  static let boolean: Oid = 16
  static let int8: Oid = 20
  static let int2: Oid = 21
  static let int4: Oid = 23
  static let text: Oid = 25
  static let json: Oid = 114
}

struct PostgresError: Error {
  /// SQLSTATE, as in appendix A of PostgreSQL's manual; nil for an error of the connection.
  let state: String?
  let message: String
  let isLost: Bool
  /// Whether no server accepts connections there: none runs, or it is starting or stopping.
  var isUnreachable = false

  /// Whether the connection is lost, or the server is stopping or not ready yet.
  var isFatal: Bool { isLost || ["57P01", "57P02", "57P03"].contains(state) }
}

func mappingErrors<Value>(
  _ name: String, _ body: () throws -> Value
) throws(CatalogueError) -> Value {
  try CatalogueError.mapping(name, { (error: PostgresError) in CatalogueError(error, name) }, body)
}

extension CatalogueError {
  /// The one place where an error of PostgreSQL becomes an error of the catalogue.
  init(_ error: PostgresError, _ name: String) {
    let message = error.message
    switch error.state.map({ (String($0.prefix(2)), $0) }) {
    case _ where error.isFatal, ("08", _)?, ("28", _)?, ("3D", _)?,
      ("53", "53300")?:
      self = .unavailable("\(name) cannot be reached: \(message)")
    case (_, "55P03")?, ("40", _)?:
      self = .busy("\(name) is being written by another command: try again later")
    case (_, "57014")?: self = .interrupted
    case ("3F", _)?, (_, "42P01")?:
      self = .unavailable("\(name) holds no catalogue; \"carousel import\" makes one")
    case (_, "53100")?, (_, "58030")?: self = .full("\(name): \(message)")
    case ("53", _)?, ("54", _)?, ("58", _)?: self = .failed("\(name): \(message)")
    case (_, "25006")?:
      self = .unavailable(
        "\(name) cannot be written, because it is a standby or read-only: \(message)")
    case (_, "42501")?, ("25", _)?: self = .failed("\(name) cannot be written: \(message)")
    case nil: self = .failed("\(name): \(message)")
    default: self = .corrupt("\(name) is damaged: \(message)")
    }
  }
}
