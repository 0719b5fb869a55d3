/// Fields that are all text, such as the cells of a table, written one after the other and not read
/// again.
///
///     var text = TextFields()
///     try text.add(Array("Blue".utf8)[...], as: TextFields.name("title"), of: "title")
///     try text.fields()  // {"title":"Blue"}
struct TextFields {
  private var text = JSONText()

  init() { text.raw("{") }

  /// A field's name as `add` takes it: made once for a whole table.
  static func name(_ name: String) -> [UInt8] {
    var text = JSONText()
    text.string(name)
    text.raw(":")
    return text.bytes
  }

  /// Adds a field with this value, under a name that has not been there.
  ///
  /// - Returns: false where the value is no UTF-8.
  /// - Throws: `.invalid` for a value with a NUL.
  mutating func add(
    _ value: ArraySlice<UInt8>, as name: [UInt8], of field: String
  ) throws(CatalogueError) -> Bool {
    let isASCII = value.allSatisfy { $0 < 0x80 }
    guard isASCII || String(validating: value, as: UTF8.self) != nil else { return false }
    guard !value.contains(0) else { throw .invalid("fields.\(field): it holds a NUL character") }
    if text.bytes.count > 1 { text.raw(",") }
    text.raw(name)
    value.withUnsafeBufferPointer { text.string($0) }
    return true
  }

  /// The fields that were added.
  ///
  /// - Throws: `.invalid` where they are more than fields may be.
  consuming func fields() throws(CatalogueError) -> Fields {
    text.raw("}")
    try Fields.check(size: text.bytes.count)
    return Fields(written: text)
  }
}
