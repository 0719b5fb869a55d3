/// A filter: the parameter `where` of a view.
///
///     let filter = try Filter(#"artist = "J. M. W. Turner" AND NOT year 1800 TO 1850"#)
///     filter.matches { item.value(of: $0) }
///
/// Conjunctions and disjunctions are flat, and no negation contains a negation. The depth is therefore at
/// most twice the number of comparisons. Functions can recurse safely.
package indirect enum Filter: Hashable, Sendable {
  case comparison(FieldName, Test)
  case not(Filter)
  case and([Filter])
  case or([Filter])

  /// A comparison of one field. False for an item without the field.
  package enum Test: Hashable, Sendable {
    case equal(Operand)
    case less(Operand)
    case lessOrEqual(Operand)
    case greater(Operand)
    case greaterOrEqual(Operand)
    /// `TO`: both ends belong to the range.
    case between(Operand, Operand)
    case oneOf([Operand])
    case exists
  }

  /// A value in a filter.
  package enum Operand: Hashable, Sendable {
    /// A number and its spelling. Compared only with numbers.
    case number(Double, spelling: [UInt8])
    /// UTF-8 text. Compared with the text of every value.
    case text([UInt8])
  }

  /// The maximum size of a filter in bytes of UTF-8.
  package static let maximumSize = 2048
  /// The maximum number of comparisons in a filter.
  package static let maximumComparisons = 64
}

// MARK: - Evaluation

extension Filter {
  /// Whether an item with these values matches.
  ///
  /// - Complexity: at most one call of `value` for each comparison.
  package func matches(_ value: (FieldName) -> FieldValue?) -> Bool {
    switch self {
    case .comparison(let field, let test): value(field).map(test.matches) ?? false
    case .not(let filter): !filter.matches(value)
    case .and(let filters): filters.allSatisfy { $0.matches(value) }
    case .or(let filters): filters.contains { $0.matches(value) }
    }
  }

  /// The fields of the comparisons, each once, in the order of their first use.
  package var fields: [FieldName] {
    var fields: [FieldName] = []
    forEachComparison { field, _ in if !fields.contains(field) { fields.append(field) } }
    return fields
  }

  /// The ids that the filter compares with `id`, each once.
  var ids: Set<[UInt8]> {
    var ids: Set<[UInt8]> = []
    forEachComparison { field, test in if field == "id" { ids.formUnion(test.texts) } }
    return ids
  }

  private func forEachComparison(_ body: (FieldName, Test) -> Void) {
    switch self {
    case .comparison(let field, let test): body(field, test)
    case .not(let filter): filter.forEachComparison(body)
    case .and(let filters), .or(let filters): filters.forEach { $0.forEachComparison(body) }
    }
  }
}

extension Filter.Test {
  /// Whether a value passes. The value of an absent field never passes.
  package func matches(_ value: FieldValue) -> Bool {
    func order(_ operand: Filter.Operand, _ isAllowed: (Int) -> Bool) -> Bool {
      operand.order(of: value).map(isAllowed) ?? false
    }
    return switch self {
    case .equal(let operand): order(operand) { $0 == 0 }
    case .less(let operand): order(operand) { $0 < 0 }
    case .lessOrEqual(let operand): order(operand) { $0 <= 0 }
    case .greater(let operand): order(operand) { $0 > 0 }
    case .greaterOrEqual(let operand): order(operand) { $0 >= 0 }
    case .between(let low, let high): order(low) { $0 >= 0 } && order(high) { $0 <= 0 }
    case .oneOf(let operands): operands.contains { order($0) { $0 == 0 } }
    case .exists: true
    }
  }
}

extension Filter.Test {
  /// The same test of an id, which is always compared as text. Nil for a test that the index of ids cannot
  /// answer.
  var ofID: Self? {
    switch self {
    case .equal(let operand): .equal(operand.asText)
    case .oneOf(let operands): .oneOf(operands.map(\.asText))
    case .exists: .exists
    default: nil
    }
  }

  /// The texts that are equal to a value that passes.
  var texts: [[UInt8]] {
    let operands: [Filter.Operand] =
      switch self {
      case .equal(let operand): [operand]
      case .oneOf(let operands): operands
      default: []
      }
    return operands.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}

extension Filter.Operand {
  fileprivate var asText: Self {
    if case .number(_, let spelling) = self { .text(spelling) } else { self }
  }

  /// A value without quotes: a number if it follows JSON's grammar, else text.
  init(word: String) {
    let bytes = Array(word.utf8)
    self =
      bytes.withUnsafeBytes(Double.init(json:)).map { .number($0, spelling: bytes) } ?? .text(bytes)
  }

  /// Below 0 if `value` is less than this operand, 0 if equal, above 0 if greater. Nil if the operand is a
  /// number and the value is not a number.
  package func order(of value: FieldValue) -> Int? {
    switch self {
    case .number(let operand, _):
      value.number.map { $0 < operand ? -1 : $0 == operand ? 0 : 1 }
    case .text(let operand):
      value.text == operand ? 0 : value.text.lexicographicallyPrecedes(operand) ? -1 : 1
    }
  }
}

// MARK: - Canonical spelling

extension Filter: CustomStringConvertible {
  /// The canonical spelling. All spellings of a filter have the same canonical spelling.
  ///
  /// One space separates keywords, operators and values. Parentheses and quotes appear only where the
  /// grammar needs them. `NOT a = b` becomes `a != b`. Numbers keep their spelling.
  ///
  /// If the text would exceed `maximumSize`, optional spaces are omitted. The canonical spelling of a valid
  /// filter is therefore always valid.
  package var description: String {
    var tokens: [FilterToken] = []
    write(to: &tokens)
    let spaced = Self.text(of: tokens) { left, right in
      left != "(" && left != "[" && right != ")" && right != "]" && right != ","
    }
    guard spaced.utf8.count > Self.maximumSize else { return spaced }
    return Self.text(of: tokens) { $0.isWord && $1.isWord }
  }

  private static func text(
    of tokens: [FilterToken], isSpaced: (FilterToken, FilterToken) -> Bool
  ) -> String {
    var text = ""
    for (index, token) in tokens.enumerated() {
      if index > 0, isSpaced(tokens[index - 1], token) { text += " " }
      text += token.spelling
    }
    return text
  }

  private func write(to tokens: inout [FilterToken]) {
    switch self {
    case .comparison(let field, let test): tokens += [.name(field)] + test.tokens(of: field)
    case .not(.comparison(let field, .equal(let operand))):
      tokens += [.name(field), "!=", .operand(operand, of: field)]
    case .not(let filter):
      tokens.append("NOT")
      filter.write(to: &tokens, inParentheses: !filter.isComparison)
    case .and(let filters): Self.write(filters, joinedBy: "AND", to: &tokens)
    case .or(let filters): Self.write(filters, joinedBy: "OR", to: &tokens)
    }
  }

  private static func write(
    _ filters: [Filter], joinedBy keyword: FilterToken, to tokens: inout [FilterToken]
  ) {
    for (index, filter) in filters.enumerated() {
      if index > 0 { tokens.append(keyword) }
      filter.write(to: &tokens, inParentheses: filter.isDisjunction)
    }
  }

  private func write(to tokens: inout [FilterToken], inParentheses: Bool) {
    if inParentheses { tokens.append("(") }
    write(to: &tokens)
    if inParentheses { tokens.append(")") }
  }

  private var isComparison: Bool { if case .comparison = self { true } else { false } }
  private var isDisjunction: Bool { if case .or = self { true } else { false } }
}

extension Filter.Test {
  /// The tokens after the field.
  fileprivate func tokens(of field: FieldName) -> [FilterToken] {
    func token(_ operand: Filter.Operand) -> FilterToken { .operand(operand, of: field) }
    return switch self {
    case .equal(let operand): ["=", token(operand)]
    case .less(let operand): ["<", token(operand)]
    case .lessOrEqual(let operand): ["<=", token(operand)]
    case .greater(let operand): [">", token(operand)]
    case .greaterOrEqual(let operand): [">=", token(operand)]
    case .between(let low, let high): [token(low), "TO", token(high)]
    case .oneOf(let operands):
      ["IN", "["] + operands.map { [token($0)] }.joined(separator: [","]) + ["]"]
    case .exists: ["EXISTS"]
    }
  }
}
