import Items

/// The columns of a table, in the order in which they are read and written. The last one is the checksum of the others.
protocol TableColumn: CaseIterable, RawRepresentable where RawValue == Int {
  static var checksum: Self { get }
}

extension TableColumn {
  /// As in SQL: `first_revision` for `firstRevision`.
  static var names: [String] {
    allCases.map { column in
      "\(column)".reduce(into: "") { name, letter in
        name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
      }
    }
  }

  /// The values of a row: those of the columns, and their checksum.
  ///
  /// - Parameter key: the value of another column, which stands before them.
  static func values(key: Int64? = nil, _ value: (Self) -> SQLValue) -> [SQLValue] {
    let values = (key.map { [.integer($0)] } ?? []) + allCases.dropLast().map(value)
    return values + [.integer(RowChecksum(of: values).value)]
  }
}

/// A row of a table, with the names of its columns.
struct TableRow<Column: TableColumn> {
  let row: any SQLRow

  func integer(_ column: Column) throws -> Int64 { try row.integer(column.rawValue) }
  func text(_ column: Column) throws -> String { try row.text(column.rawValue) }
  func bytes(_ column: Column) throws -> [UInt8] { try row.bytes(column.rawValue) }
  func names(_ column: Column) throws -> [String] { try row.names(column.rawValue) }

  func optionalBytes(_ column: Column) throws -> [UInt8]? {
    try row.optionalBytes(column.rawValue)
  }

  func optionalInteger(_ column: Column) throws -> Int64? {
    try row.optionalInteger(column.rawValue)
  }

  /// Compares the checksum with `key` and the other columns.
  func check(key: Int64? = nil) throws {
    let last = Column.checksum.rawValue
    guard try RowChecksum(of: row, ..<last, key: key).value == row.integer(last) else {
      throw CatalogueError.corrupt("its checksum is that of another content")
    }
  }
}
