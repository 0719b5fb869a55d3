package import Items

enum FilterToken: Equatable, ExpressibleByStringLiteral {
  /// A name, a value or a keyword without quotes.
  case word(String)
  /// A name or a value in quotes: its text without them.
  case quoted(String)
  /// A parenthesis, a bracket, a comma or an operator.
  case symbol(String)

  init(stringLiteral text: String) {
    self = Self.keywords.contains(text) ? .word(text) : .symbol(text)
  }

  static func name(_ field: FieldName) -> FilterToken {
    canBeWord(field.text) ? .word(field.text) : .quoted(field.text)
  }

  /// - Parameter field: the field that is compared with the operand. An id needs no quotes to be a text.
  static func operand(_ operand: Filter.Operand, of field: FieldName) -> FilterToken {
    switch operand {
    case .number(_, _, let spelling), .date(_, let spelling):
      return .word(String(decoding: spelling, as: UTF8.self))
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      let isText =
        field == "id" || !bytes.withUnsafeBytes(\.isNumber) && DateInterval(bytes) == nil
      return isText && canBeWord(text) ? .word(text) : .quoted(text)
    }
  }

  var isWord: Bool { if case .word = self { true } else { false } }

  var isKeyword: Bool {
    if case .word(let text) = self { Self.keywords.contains(text) } else { false }
  }

  var spelling: String {
    switch self {
    case .word(let text), .symbol(let text): text
    case .quoted(let text): text.inQuotes
    }
  }

  private static let keywords: Set = ["AND", "OR", "NOT", "TO", "IN", "EXISTS"]

  private static func canBeWord(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(\.isInWord) && !keywords.contains(text)
  }
}

extension Unicode.Scalar {
  /// Whether names and values without quotes can contain this.
  fileprivate var isInWord: Bool {
    !properties.isWhitespace && !"()[],=!<>\"'".unicodeScalars.contains(self)
  }
}

struct FilterTokens {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// The last token and where it begins; nil at the end.
  private(set) var current: FilterToken?
  private(set) var start = 0
  /// Where the token before `current` ends.
  private(set) var previousEnd = 0
  private(set) var previous: FilterToken?

  init(_ text: String) throws(CatalogueError) {
    scalars = Array(text.unicodeScalars)
    try advance()
  }

  mutating func advance() throws(CatalogueError) {
    previous = current
    previousEnd = position
    while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    start = position
    guard position < scalars.count else {
      start = previousEnd
      current = nil
      return
    }
    switch scalars[position] {
    case "\"", "'": current = .quoted(try readQuoted(from: scalars, at: &position, of: "where"))
    case "(", ")", "[", "]", ",", "=": current = symbol(1)
    case "<", ">": current = symbol(isEqualSign(at: position + 1) ? 2 : 1)
    case "!" where isEqualSign(at: position + 1): current = symbol(2)
    default:
      while position < scalars.count, scalars[position].isInWord { position += 1 }
      guard position > start else {
        let text = text(start..<start + 1)
        throw .invalid("where: \(text.quoted) needs quotes, at character \(start + 1)")
      }
      current = .word(text(start..<position))
    }
  }

  private func isEqualSign(at index: Int) -> Bool { index < scalars.count && scalars[index] == "=" }

  private mutating func symbol(_ count: Int) -> FilterToken {
    position += count
    return .symbol(text(start..<position))
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }
}

/// Reads a text in quotes. A backslash escapes the quote and itself; before another character it
/// stands for itself.
func readQuoted(
  from scalars: [Unicode.Scalar], at position: inout Int, of parameter: String
) throws(CatalogueError) -> String {
  let start = position
  let quote = scalars[start]
  var text = String.UnicodeScalarView()
  position += 1
  while position < scalars.count {
    let scalar = scalars[position]
    position += 1
    if scalar == quote { return String(text) }
    if scalar == "\\", position < scalars.count,
      scalars[position] == quote || scalars[position] == "\\"
    {
      text.append(scalars[position])
      position += 1
    } else {
      text.append(scalar)
    }
  }
  throw .invalid("\(parameter): the quote at character \(start + 1) is not closed")
}

extension String {
  /// The text in quotes, as short as possible: `readQuoted` reads it back.
  var inQuotes: String {
    let scalars = Array(unicodeScalars)
    let quote: Unicode.Scalar =
      scalars.count { $0 == "\"" } > scalars.count { $0 == "'" } ? "'" : "\""
    var text = String.UnicodeScalarView([quote])
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : quote
      if scalar == quote || scalar == "\\" && (next == quote || next == "\\") { text.append("\\") }
      text.append(scalar)
    }
    text.append(quote)
    return String(text)
  }
}

// MARK: - Parsing

extension Filter {
  /// - Throws: `.invalid`, with a sentence that names the error and its character (a Unicode
  ///   scalar, from 1), such as `where: expected a value after "=", at character 9`.
  /// - Complexity: O(*n*). It does not recurse, so no text can be nested too deep.
  package init(_ text: String) throws(CatalogueError) {
    guard text.utf8.count <= Self.maximumSize else {
      throw .invalid("where: it has \(text.utf8.count) bytes, more than \(Self.maximumSize)")
    }
    var parser = FilterParser(tokens: try FilterTokens(text))
    self = try parser.filter()
  }
}

private struct FilterParser {
  var tokens: FilterTokens
  var comparisons = 0

  /// An expression whose end has not been read yet.
  private struct UnfinishedExpression {
    /// The conjunctions that are complete.
    var alternatives: [Filter] = []
    /// The terms of the last conjunction.
    var terms: [Filter] = []
    /// Whether `NOT` stands before the expression's parenthesis.
    let isNegated: Bool

    /// The expression, if it ends here.
    var filter: Filter {
      let filter = Filter.joined(alternatives + [.joined(terms, isAnd: true)], isAnd: false)
      return isNegated ? filter.negated : filter
    }
  }

  mutating func filter() throws(CatalogueError) -> Filter {
    var open = [UnfinishedExpression(isNegated: false)]
    while true {
      let isNegated = try skip("NOT")
      if try skip("(") {
        open.append(UnfinishedExpression(isNegated: isNegated))
        continue
      }
      let comparison = try comparison()
      open[open.count - 1].terms.append(isNegated ? comparison.negated : comparison)
      while open.count > 1, try skip(")") {
        let filter = open.removeLast().filter
        open[open.count - 1].terms.append(filter)
      }
      if try skip("AND") { continue }
      if try skip("OR") {
        let last = open.count - 1
        open[last].alternatives.append(.joined(open[last].terms, isAnd: true))
        open[last].terms = []
        continue
      }
      guard tokens.current == nil, open.count == 1 else {
        let hint =
          if case .word = tokens.current {
            ": keywords are in capitals, and a value of several words stands in quotes"
          } else { "" }
        throw expected(open.count > 1 ? "AND, OR or \")\"" : "AND or OR", hint: hint)
      }
      return open[0].filter
    }
  }

  private mutating func comparison() throws(CatalogueError) -> Filter {
    let start = tokens.start
    guard let name = try text() else { throw expected("a field") }
    comparisons += 1
    guard comparisons <= Filter.maximumComparisons else {
      throw .invalid(
        "where: it has more than \(Filter.maximumComparisons) comparisons, at character \(start + 1)"
      )
    }
    let field = FieldName(name.text)
    let isUnequal = try skip("!=")
    var test = isUnequal ? .order(.equal, try operand()) : try test()
    if field == "id" {
      guard let found = test.ofID else {
        throw .invalid(
          "where: id can be compared with =, !=, IN and EXISTS only, at character \(start + 1)")
      }
      test = found
    }
    return isUnequal ? .not(.comparison(field, test)) : .comparison(field, test)
  }

  private mutating func test() throws(CatalogueError) -> Filter.Test {
    for (symbol, orders) in Filter.Orders.operators {
      if try skip(symbol) { return .order(orders, try operand()) }
    }
    if try skip("EXISTS") { return .exists }
    if try skip("IN") { return .oneOf(try list()) }
    let unknown = expected(
      "a comparison",
      hint: ": =, !=, <, <=, >, >=, IN, EXISTS or VALUE TO VALUE; NOT stands before the field")
    guard let low = try text(), try skip("TO") else { throw unknown }
    return .between(low.operand, try operand())
  }

  private mutating func list() throws(CatalogueError) -> [Filter.Operand] {
    guard try skip("[") else { throw expected("\"[\"") }
    if try skip("]") { return [] }
    var operands: [Filter.Operand] = []
    repeat { operands.append(try operand()) } while try skip(",")
    guard try skip("]") else { throw expected("\",\" or \"]\"") }
    return operands
  }

  private mutating func operand() throws(CatalogueError) -> Filter.Operand {
    guard let text = try text() else { throw expected("a value") }
    return text.operand
  }

  /// Reads a name or a value, if one is next.
  private mutating func text() throws(CatalogueError) -> (text: String, operand: Filter.Operand)? {
    guard let token = tokens.current, !token.isKeyword else { return nil }
    switch token {
    case .symbol: return nil
    case .word(let text):
      try tokens.advance()
      return (text, Filter.Operand(word: text))
    case .quoted(let text):
      try tokens.advance()
      return (text, .text(Array(text.utf8)))
    }
  }

  /// Reads a keyword or a symbol, if it is next.
  private mutating func skip(_ token: FilterToken) throws(CatalogueError) -> Bool {
    guard tokens.current == token else { return false }
    try tokens.advance()
    return true
  }

  private func expected(_ what: String, hint: String = "") -> CatalogueError {
    let context = tokens.previous.map { " after \($0.spelling.quoted)" } ?? ""
    return .invalid("where: expected \(what)\(context), at character \(tokens.start + 1)\(hint)")
  }
}

extension Filter {
  /// All of `filters`, or one of them, without a conjunction in a conjunction or a disjunction in a
  /// disjunction.
  fileprivate static func joined(_ filters: [Filter], isAnd: Bool) -> Filter {
    let parts = filters.flatMap { filter in
      switch filter {
      case .and(let parts) where isAnd: parts
      case .or(let parts) where !isAnd: parts
      default: [filter]
      }
    }
    return parts.count == 1 ? parts[0] : isAnd ? .and(parts) : .or(parts)
  }

  fileprivate var negated: Filter {
    if case .not(let filter) = self { filter } else { .not(self) }
  }
}
