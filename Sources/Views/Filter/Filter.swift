package import Items

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
    /// The value has one of these orders relative to the operand.
    case order(Orders, Operand)
    /// `TO`: both ends belong to the range.
    case between(Operand, Operand)
    case oneOf([Operand])
    case exists
  }

  /// The orders of a value relative to an operand that an operator accepts.
  package struct Orders: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let less = Orders(rawValue: 1)
    static let equal = Orders(rawValue: 2)
    static let greater = Orders(rawValue: 4)

    /// The operators that are orders. `!=` is a negation.
    static let operators: [(symbol: FilterToken, orders: Orders)] = [
      ("=", .equal), ("<", .less), ("<=", [.less, .equal]), (">", .greater),
      (">=", [.greater, .equal]),
    ]

    /// Whether an order is accepted: below 0, 0, or above 0.
    @inline(__always)
    func accept(_ order: Int) -> Bool {
      contains(order < 0 ? .less : order == 0 ? .equal : .greater)
    }
  }

  package enum Operand: Hashable, Sendable {
    /// A number and its spelling. Compared only with numbers; the number of a year also with dates, as `date`.
    case number(Double, date: DateInterval?, spelling: [UInt8])
    /// A date and its spelling. Compared only with dates, by time.
    case date(DateInterval, spelling: [UInt8])
    /// UTF-8 text. Compared with the text of every value.
    case text([UInt8])
  }

  /// The items whose field has a value: `artist = "J. M. W. Turner"`.
  package static func items(with value: String, of field: FieldName) -> Filter {
    .comparison(field, .order(.equal, Operand(word: value)))
  }

  package static let maximumSize = 2048
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
  package func matches(_ value: FieldValue) -> Bool {
    func accept(_ orders: Filter.Orders, _ operand: Filter.Operand) -> Bool {
      value.text.withUnsafeBytes { operand.accepts($0, value.number ?? .nan, orders) }
    }
    return switch self {
    case .order(let orders, let operand): accept(orders, operand)
    case .between(let low, let high):
      accept([.equal, .greater], low) && accept([.less, .equal], high)
    case .oneOf(let operands): operands.contains { accept(.equal, $0) }
    case .exists: true
    }
  }
}

extension Filter.Test {
  /// This test for an id, which is always compared as text. Nil for a test that the index of ids cannot
  /// answer.
  var ofID: Self? {
    switch self {
    case .order(.equal, let operand): .order(.equal, operand.asText)
    case .oneOf(let operands): .oneOf(operands.map(\.asText))
    case .exists: .exists
    default: nil
    }
  }

  /// The texts that are equal to a value that passes.
  var texts: [[UInt8]] {
    let operands: [Filter.Operand] =
      switch self {
      case .order(.equal, let operand): [operand]
      case .oneOf(let operands): operands
      default: []
      }
    return operands.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}

extension Filter.Operand {
  fileprivate var asText: Self {
    switch self {
    case .number(_, _, let spelling), .date(_, let spelling): .text(spelling)
    case .text: self
    }
  }

  /// A value without quotes: a number if it follows JSON's grammar, a date if it follows that of RFC 3339, else text.
  init(word: String) {
    let bytes = Array(word.utf8)
    if let number = bytes.withUnsafeBytes(JSONNumber.init)?.value {
      self = .number(number, date: DateInterval(bytes), spelling: bytes)
    } else if let date = DateInterval(bytes) {
      self = .date(date, spelling: bytes)
    } else {
      self = .text(bytes)
    }
  }

  /// The date that this operand names; nil if it names none.
  var date: DateInterval? {
    switch self {
    case .number(_, let date, _): date
    case .date(let date, _): date
    case .text: nil
    }
  }

  /// Whether a value has one of these orders relative to this operand. Numbers have an order relative to numbers and dates
  /// only, and dates relative to dates only.
  ///
  /// - Parameter number: the number that the text spells; NaN for none.
  func accepts(_ text: UnsafeRawBufferPointer, _ number: Double, _ orders: Filter.Orders) -> Bool {
    switch self {
    case .number(let operand, _, _) where !number.isNaN:
      return orders.accept(number < operand ? -1 : number == operand ? 0 : 1)
    case .text(let operand):
      return operand.withUnsafeBytes { operand in
        orders.accept(text.isSame(as: operand) ? 0 : text.precedes(operand) ? -1 : 1)
      }
    case .number, .date:
      guard let date, let given = DateInterval(text) else { return false }
      return date.accepts(given, orders)
    }
  }
}

extension DateInterval {
  /// Whether an item's date has one of these orders relative to this interval. An equal date lies completely in it.
  func accepts(_ date: DateInterval, _ orders: Filter.Orders) -> Bool {
    orders == .equal ? contains(date) : orders.accept(order(of: date))
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
    case .not(.comparison(let field, .order(.equal, let operand))):
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
  fileprivate func tokens(of field: FieldName) -> [FilterToken] {
    func token(_ operand: Filter.Operand) -> FilterToken { .operand(operand, of: field) }
    return switch self {
    case .order(let orders, let operand):
      Filter.Orders.operators.filter { $0.orders == orders }.map(\.symbol) + [token(operand)]
    case .between(let low, let high): [token(low), "TO", token(high)]
    case .oneOf(let operands):
      ["IN", "["] + operands.map { [token($0)] }.joined(separator: [","]) + ["]"]
    case .exists: ["EXISTS"]
    }
  }
}

// MARK: - Ids

/// The items that a filter names by their ids: `id IN [a1, a2]`.
///
/// The store's index of ids finds them. A column of all ids would take more memory than all other columns.
struct FilteredIDs: Sendable {
  private let indices: [[UInt8]: Int]

  static let empty = FilteredIDs()

  private init() { indices = [:] }

  /// Finds the items of a query's ids in a snapshot. Blocks if there are ids.
  ///
  /// - Complexity: one round trip to a database for all ids; O(log *n*) for each.
  init(of query: ViewQuery, in base: Snapshot) throws(CatalogueError) {
    let ids = query.filter.map { Array($0.ids) } ?? []
    let found =
      ids.isEmpty
      ? [] : try base.source.indices(of: ids.map { String(decoding: $0, as: UTF8.self) })
    indices = Dictionary(
      uniqueKeysWithValues: zip(ids, found).compactMap { id, index in index.map { (id, $0) } })
  }

  func index(of id: [UInt8]) -> Int? { indices[id] }

  /// The id of the item at an index if the filter names it, else a value that equals no id.
  func value(at index: Int) -> FieldValue {
    // No text equals these bytes, because they are not UTF-8.
    FieldValue(indices.first { $0.value == index }?.key ?? [0xFF])
  }
}
