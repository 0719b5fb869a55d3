import Foundation
import GRDB
import Items
import Windowing

/// A row of `item`, and the item that it holds.
enum StoredItem {
  /// What `item(_:kinds:)` reads, as the first columns of a row.
  static let columns = #"id, fields, kind, aspect, width, "group""#

  /// - Parameter kinds: the names of the strip's kinds, by number.
  /// - Throws: `.corrupt` where the row is none of ours.
  static func item(_ row: Row, kinds: [String]) throws -> Item {
    guard let kind: Int = row[2] else { throw CatalogueError.corrupt("an item has no kind") }
    guard kinds.indices ~= kind else {
      throw CatalogueError.corrupt("an item is of kind \(kind), and there is none")
    }
    return try Item(
      id: text(row, 0), kind: kinds[kind],
      aspect: (row[3] as Int64?).map { Aspect(units: UInt32(truncatingIfNeeded: $0)) },
      width: (row[4] as Int64?).map(Length.init(units:)), group: row[5],
      fields: fields(row, 1))
  }

  /// Id and fields alone, as the first columns of a row.
  static func content(_ row: Row) throws -> ItemContent {
    ItemContent(id: try text(row, 0), fields: try fields(row, 1))
  }

  /// Id and fields alone, in these columns.
  static func content(ofID id: Int, fields column: Int, in row: Row) throws -> ItemContent {
    ItemContent(id: try text(row, id), fields: try fields(row, column))
  }

  /// The same as bytes, which SQLite keeps until the next row.
  static func lend(_ row: Row, to take: (ItemBytes) -> Void) throws {
    try row.withUnsafeData(atIndex: 0) { id in
      try row.withUnsafeData(atIndex: 1) { fields in
        try (id ?? Data()).withUnsafeBytes { id in
          try (fields ?? Data()).withUnsafeBytes { fields in
            guard let item = bytes(id: id, fields: fields) else {
              throw CatalogueError.corrupt("its text is not UTF-8 or its fields are no JSON object")
            }
            take(item)
          }
        }
      }
    }
  }

  /// The same of what stands in the columns; nil where that is none of ours.
  static func bytes(id: UnsafeRawBufferPointer, fields: UnsafeRawBufferPointer) -> ItemBytes? {
    guard !id.isEmpty, id.isUTF8, Fields.mayBe(fields), fields.isUTF8 else { return nil }
    return ItemBytes(id: id, fields: fields)
  }

  private static func text(_ row: Row, _ column: Int) throws -> String {
    try row.withUnsafeData(atIndex: column) { data in
      guard let data, let text = String(validating: data, as: UTF8.self) else {
        throw CatalogueError.corrupt("its text is not UTF-8")
      }
      return text
    }
  }

  private static func fields(_ row: Row, _ column: Int) throws -> Fields {
    try row.withUnsafeData(atIndex: column) { data in
      guard let data, let fields = Fields(stored: Array(data)) else {
        throw CatalogueError.corrupt("its fields are no JSON object")
      }
      return fields
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes are text; eight at a time where it is ASCII.
  fileprivate var isUTF8: Bool {
    var place = 0
    while count - place >= 8 {
      let word = loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      place += 8
    }
    let rest = self[place...]
    return rest.allSatisfy { $0 < 0x80 } || String(validating: rest, as: UTF8.self) != nil
  }
}
