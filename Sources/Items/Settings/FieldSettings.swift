/// The labels, units and formats of a strip's fields for readers: the setting `fields`.
///
///     {"price": {"label": {"de": "Preis", "en": "Price"}, "unit": "EUR", "format": "currency"}}
///
/// A label and a unit are a text, or texts by language.
package struct FieldSettings: Hashable, Sendable {
  private var tree = Tree.null

  /// In bytes of `json`.
  private static let maximumSize = 16_384

  package enum Format: String, CaseIterable, Sendable {
    /// A decimal number, and the unit after it.
    case number
    /// An amount of money. The unit is a code of ISO 4217.
    case currency
    /// A date, a month or a year of ISO 8601: `2024-02-29`, `2024-02` or `2024`.
    case date
    /// Words, also those that look like numbers, such as the name of a folder: `2019`.
    case text
  }

  package init() {}

  /// Reads settings, or a JSON Merge Patch of them.
  init(_ scanner: inout JSONScanner, of name: String) throws(CatalogueError) {
    tree = try Tree(&scanner, name, depth: 3)
  }

  /// The settings after a JSON Merge Patch (RFC 7396). A patch without content resets them.
  func merged(with patch: FieldSettings) -> FieldSettings {
    var merged = FieldSettings()
    merged.tree = tree.merged(with: patch.tree)
    return merged.tree == .object([:]) ? FieldSettings() : merged
  }

  /// An object. Equal settings have equal bytes.
  package var json: String {
    var json = JSONText()
    if tree == .null { json.raw("{}") } else { tree.write(to: &json) }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

// MARK: - Reading

extension FieldSettings {
  /// - Parameter language: a tag of a language. If it has no text, the English one counts, or else the
  ///   first.
  package func label(of field: String, in language: String?) -> String? {
    tree[field]["label"].text(in: language)
  }

  /// The fields that have a label, in the order of their names.
  package var labelled: [String] {
    guard case .object(let fields) = tree else { return [] }
    return fields.keys.map(\.text).sorted().filter { label(of: $0, in: nil) != nil }
  }

  package func unit(of field: String, in language: String?) -> String? {
    tree[field]["unit"].text(in: language)
  }

  package func format(of field: String) -> Format? {
    tree[field]["format"].text(in: nil).flatMap(Format.init(rawValue:))
  }
}

// MARK: - Checking

extension FieldSettings {
  /// - Throws: `.invalid`, with a sentence that names the wrong member. `name` is the setting's name.
  func check(_ name: String) throws(CatalogueError) {
    if tree == .null { return }
    let size = json.utf8.count
    guard size <= Self.maximumSize else {
      throw .invalid("\(name): it has \(size) bytes, more than \(Self.maximumSize)")
    }
    for (field, members) in try tree.members(of: name) {
      guard 1...1024 ~= field.utf8.count, !field.utf8.contains(0) else {
        throw .invalid("\(name): \(field.quoted) is not the name of a field")
      }
      for (member, value) in try members.members(of: "\(name).\(field)") {
        let path = "\(name).\(field).\(member)"
        switch member {
        case "label", "unit": try value.checkTexts(path)
        case "format":
          guard case .text(let text) = value, Format(rawValue: text) != nil else {
            let formats = Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("\(path): must be one of \(formats)")
          }
        default: throw .invalid("\(path): must be label, unit or format")
        }
      }
      guard format(of: field) != .currency || members["unit"].isCurrency else {
        throw .invalid("\(name).\(field).unit: must be three capital letters, a code of ISO 4217")
      }
    }
  }
}

/// JSON of objects and texts. In a JSON Merge Patch, null removes a member.
private enum Tree: Hashable, Sendable {
  case null
  case text(String)
  case object([FieldName: Tree])

  /// - Parameters:
  ///   - path: the value's name in errors.
  ///   - depth: how deep objects can be.
  init(
    _ scanner: inout JSONScanner, _ path: String, depth: Int
  ) throws(CatalogueError) {
    self = .null
    if try scanner.null() { return }
    var ahead = scanner
    if depth == 0 {
      self = .text(try scanner.string(of: path))
    } else if let text = try? ahead.string(of: path) {
      self = .text(text)
      scanner = ahead
    } else {
      var members: [FieldName: Tree] = [:]
      try scanner.members(of: path) { scanner, name throws(CatalogueError) in
        members[FieldName(name)] = try Tree(&scanner, "\(path).\(name)", depth: depth - 1)
      }
      self = .object(members)
    }
  }

  func merged(with patch: Tree) -> Tree {
    guard case .object(let changes) = patch else { return patch }
    var members: [FieldName: Tree] = [:]
    if case .object(let own) = self { members = own }
    for (name, change) in changes {
      let value = members[name, default: .null].merged(with: change)
      members[name] = value == .null ? nil : value
    }
    return .object(members)
  }

  func write(to json: inout JSONText) {
    switch self {
    case .null: json.raw("null")
    case .text(let text): json.string(text)
    case .object:
      json.raw("{")
      json.list(sorted) { json, member in
        json.string(member.name)
        json.raw(":")
        member.value.write(to: &json)
      }
      json.raw("}")
    }
  }

  subscript(name: String) -> Tree {
    if case .object(let members) = self { members[FieldName(name)] ?? .null } else { .null }
  }

  private var sorted: [(name: String, value: Tree)] {
    guard case .object(let members) = self else { return [] }
    return members.map { ($0.text, $1) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }

  func members(of path: String) throws(CatalogueError) -> [(name: String, value: Tree)] {
    guard case .object = self else { throw .invalid("\(path): it is not an object") }
    return sorted
  }

  /// The text for a language: for its tag, for its first subtag, in English, or the first text.
  func text(in language: String?) -> String? {
    switch self {
    case .null: return nil
    case .text(let text): return text
    case .object:
      let tags = [language, language.map { String($0.prefix { $0 != "-" }) }, "en"]
      return tags.lazy.compactMap { $0.flatMap { self[$0].text(in: nil) } }.first
        ?? sorted.first?.value.text(in: nil)
    }
  }

  func checkTexts(_ path: String) throws(CatalogueError) {
    guard case .text(let text) = self else {
      for (tag, value) in try members(of: path) {
        guard case .text = value, 2...35 ~= tag.utf8.count, tag.utf8.allSatisfy(\.isInTag) else {
          throw .invalid("\(path): \(tag.quoted) is not the tag of a language with a text")
        }
        try value.checkTexts("\(path).\(tag)")
      }
      return
    }
    guard !text.isEmpty, !text.utf8.contains(0) else {
      throw .invalid("\(path): it is empty, or contains a NUL character")
    }
  }

  var isCurrency: Bool {
    guard case .text(let code) = self else { return false }
    return code.utf8.count == 3
      && code.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
  }
}

extension UInt8 {
  fileprivate var isInTag: Bool {
    isDigit || self == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }
}
