import Windowing

/// The name of a field, or of a member that views can use like a field.
///
/// Names compare as bytes of UTF-8. Two spellings of `é` are therefore two names.
package struct FieldName: Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(stringLiteral text: String) { self.text = text }

  package var description: String { text }

  /// The members of an item that every strip can filter by, and sort by except `id`. A field of the same name
  /// is hidden.
  package static let members = ["id"] + ItemMember.allCases.map { FieldName($0.rawValue) }
}

extension FieldName {
  /// Reads an array of names; `name` is the array's name in errors.
  package static func list(
    _ scanner: inout JSONScanner, _ name: String
  ) throws(CatalogueError) -> [FieldName] {
    var fields: [FieldName] = []
    try scanner.elements(of: name) { scanner throws(CatalogueError) in
      fields.append(FieldName(try scanner.string(of: name)))
    }
    return fields
  }

  package static func json(_ fields: [FieldName]) -> String {
    var json = JSONText()
    json.raw("[")
    json.list(fields) { $0.string($1.text) }
    json.raw("]")
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension FieldName: Hashable {
  package static func == (left: FieldName, right: FieldName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}

/// The value of a field as views see it: its text, and its number if the text is one.
///
///     FieldValue("1.80e3").number  // 1800
///     FieldValue("007").number     // nil: JSON has no such number
///
/// A string, a number and a boolean with the same text are the same value.
package struct FieldValue: Hashable, Sendable {
  /// UTF-8: a string, a number as spelled, `true` or `false`.
  package let text: [UInt8]
  /// The number, if the text follows JSON's grammar of numbers. It is infinite if it exceeds a `Double`.
  package let number: Double?

  package init(_ text: some Collection<UInt8>) {
    self.text = Array(text)
    number = self.text.withUnsafeBytes(JSONNumber.init)?.value
  }

  package init(_ text: String) { self.init(text.utf8) }
}

extension Item {
  /// The value that views see under this name; nil if it is absent.
  ///
  /// - Complexity: for a field, O(bytes of the fields before it).
  package func value(of name: FieldName) -> FieldValue? {
    if name == "id" { return FieldValue(id) }
    if let member = ItemMember(rawValue: name.text) {
      return member.text(of: self).map { FieldValue($0) }
    }
    return fields[name.text].map { FieldValue($0.text) }
  }
}
