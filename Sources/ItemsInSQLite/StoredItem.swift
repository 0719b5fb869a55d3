import Catalogue
import Windowing

/// A row of `item`, and the item that it holds.
enum StoredItem {
  /// What `item(_:kinds:)` reads, as the first columns of a row.
  static let columns = #"id, fields, kind, aspect, width, "group""#

  /// - Parameters:
  ///   - row: a statement that stands at a row.
  ///   - kinds: the names of the strip's kinds, by number.
  /// - Throws: `.corrupt` where the row is none of ours.
  static func item(_ row: DirectStatement, kinds: [String]) throws -> Item {
    guard let kind = row.optionalInteger(2) else {
      throw CatalogueError.corrupt("an item has no kind")
    }
    guard 0..<Int64(kinds.count) ~= kind else {
      throw CatalogueError.corrupt("an item is of kind \(kind), and there is none")
    }
    return try Item(
      id: row.text(0), kind: kinds[Int(kind)],
      aspect: row.optionalInteger(3).map { Aspect(units: UInt32(truncatingIfNeeded: $0)) },
      width: row.optionalInteger(4).map(Length.init(units:)), group: row.optionalText(5),
      fields: fields(row, 1))
  }

  /// Id and fields alone, in these columns.
  static func content(
    _ row: DirectStatement, id: Int32 = 0, fields column: Int32 = 1
  ) throws -> ItemContent {
    ItemContent(id: try row.text(id), fields: try fields(row, column))
  }

  /// The same as bytes, which SQLite keeps until the next row.
  static func lend(_ row: DirectStatement, to take: (ItemBytes) -> Void) throws {
    guard let item = bytes(id: row.raw(0), fields: row.raw(1)) else {
      throw CatalogueError.corrupt("its text is not UTF-8 or its fields are no JSON object")
    }
    take(item)
  }

  /// The same of what stands in the columns; nil where that is none of ours.
  static func bytes(id: UnsafeRawBufferPointer, fields: UnsafeRawBufferPointer) -> ItemBytes? {
    guard !id.isEmpty, id.isUTF8, Fields.mayBe(fields), fields.isUTF8 else { return nil }
    return ItemBytes(id: id, fields: fields)
  }

  private static func fields(_ row: DirectStatement, _ column: Int32) throws -> Fields {
    guard let fields = Fields(stored: row.bytes(column)) else {
      throw CatalogueError.corrupt("its fields are no JSON object")
    }
    return fields
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes are text; eight at a time where it is ASCII.
  fileprivate var isUTF8: Bool {
    isASCII || String(validating: self, as: UTF8.self) != nil
  }

  private var isASCII: Bool {
    guard count >= 8 else { return allSatisfy { $0 < 0x80 } }
    var place = 0
    var bits: UInt64 = 0
    while count - place >= 8 {
      bits |= loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    // The last eight once more where less than eight are left.
    bits |= loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
