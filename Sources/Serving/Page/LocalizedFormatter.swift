package import Items

/// The names and the values of a strip's fields for readers of one language. The page's script
/// writes the same texts (language/fields.js): `Tests/Cases/fields.json` has cases for both.
///
///     LocalizedFormatter(settings, in: "de").text("1200.5", of: "price", as: .currency)  // 1.200,50 €
package struct LocalizedFormatter: Sendable {
  private let fields: FieldSettings
  private let language: String?

  /// - Parameter language: nil if it is unknown. Values then stay as they are in the data.
  package init(_ fields: FieldSettings = FieldSettings(), in language: String? = nil) {
    self.fields = fields
    self.language = language
  }

  /// The label of a field. Without one, its name as words: `Release year` for `release_year` and `releaseYear`.
  package func label(of field: String) -> String {
    if let label = fields.label(of: field, in: language) { return label }
    let words = field.replacing(/[_\-]+/, with: " ")
      .replacing(/([a-z])([A-Z])/) { "\($0.output.1) \($0.output.2)" }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The title of a group as readers see it: a month, such as `2024-05`, in their language. In a view
  /// sorted by `field`, the title is a value of the field: a number has its format and unit. Other titles
  /// stay as they are.
  package func title(ofGroup title: String, sortedBy field: String? = nil) -> String {
    let isMonth = title.wholeMatch(of: /[0-9]{4}-[0-9]{2}/) != nil
    if isMonth { return text(title, of: "group", as: .date) }
    guard let field else { return title }
    let hasUnit = fields.unit(of: field, in: language) != nil
    let format = fields.format(of: field) ?? (hasUnit ? .number : .text)
    return format == .date ? title : text(title, of: field, as: format)
  }

  /// A value in a format, as `Intl` writes it in the page. A value that does not fit the format, or
  /// that `LocaleData` cannot write exactly so, stays as it is in the data.
  package func text(_ value: String, of field: String, as format: FieldSettings.Format) -> String {
    guard let locale = language.flatMap({ LocaleData.all[$0] }) else { return value }
    if format == .text { return value }
    if format == .date { return locale.date(value) ?? value }
    let unit = fields.unit(of: field, in: language)
    let isMoney = fields.format(of: field) == .currency
    if format == .currency, isMoney, let unit { return locale.money(value, in: unit) ?? value }
    guard locale.number(value) != nil else { return value }
    let (amount, prefix) = unit == "B" ? Self.scaled(value) : (value, "")
    guard let number = locale.number(amount) else { return value }
    return if let unit, !isMoney { "\(number)\u{A0}\(prefix)\(unit)" } else { number }
  }

  /// A number of bytes, with the prefix of a larger unit: `1.2` and `M` for 1234567.
  private static func scaled(_ bytes: String) -> (amount: String, prefix: String) {
    guard var amount = Double(bytes) else { return (bytes, "") }
    var prefixes = ["", "k", "M", "G", "T"]
    while abs(amount) >= 999.95, prefixes.count > 1 {
      amount /= 1000
      prefixes.removeFirst()
    }
    return prefixes[0].isEmpty
      ? (bytes, "") : ("\((amount * 10).rounded() / 10)", prefixes[0])
  }
}

/// How a language of the page writes numbers and dates, as in CLDR.
private struct LocaleData: Sendable {
  let separator: String
  let decimal: String
  /// The number of digits from which on a number has separators.
  var groupedFrom = 4
  var minus = "-"
  /// `#` stands for the number, and `¤` for the symbol.
  let money: String
  let symbols: [String: String]
  /// `D`, `M` and `Y` stand for the day, the name of the month, and the year.
  let date: String
  let month: String
  var year = "Y"
  let months: String

  static let all: [String: LocaleData] = [
    "en": LocaleData(
      separator: ",", decimal: ".", money: "¤#", symbols: ["EUR": "€", "USD": "$", "GBP": "£"],
      date: "M D, Y", month: "M Y",
      months:
        "January February March April May June July August September October November December"
    ),
    "de": LocaleData(
      separator: ".", decimal: ",", money: "#\u{A0}¤",
      symbols: ["EUR": "€", "USD": "$", "GBP": "£"], date: "D. M Y", month: "M Y",
      months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
    ),
    "fr": LocaleData(
      separator: "\u{202F}", decimal: ",", money: "#\u{A0}¤", symbols: ["EUR": "€"],
      date: "D M Y", month: "M Y",
      months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
    ),
    "es": LocaleData(
      separator: ".", decimal: ",", groupedFrom: 5, money: "#\u{A0}¤", symbols: ["EUR": "€"],
      date: "D de M de Y", month: "M de Y",
      months:
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
    ),
    "ja": LocaleData(
      separator: ",", decimal: ".", money: "¤#", symbols: ["EUR": "€", "USD": "$", "GBP": "£"],
      date: "Y年M月D日", month: "Y年M月", year: "Y年", months: "1 2 3 4 5 6 7 8 9 10 11 12"),
    "ar": LocaleData(
      separator: ",", decimal: ".", minus: "\u{200E}-", money: "", symbols: [:], date: "D M Y",
      month: "M Y",
      months: "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
  ]

  /// A decimal number. Nil for others, and for those that JavaScript cannot spell with the same digits.
  func number(_ text: String) -> String? {
    guard let (sign, whole, fraction) = parts(of: text) else { return nil }
    return sign + whole + (fraction.isEmpty ? "" : decimal + fraction)
  }

  /// An amount of money, with two digits after the point. Nil if the text is no number or has more digits there, or if the
  /// currency has no symbol here.
  func money(_ text: String, in currency: String) -> String? {
    guard let symbol = symbols[currency], let (sign, whole, fraction) = parts(of: text),
      fraction.count <= 2
    else { return nil }
    let cents = fraction + String(repeating: "0", count: 2 - fraction.count)
    let amount = whole + decimal + cents
    return sign + money.replacing("¤", with: symbol).replacing("#", with: amount)
  }

  /// The sign, the digits with separators, and the digits after the point.
  private func parts(of text: String) -> (sign: String, whole: String, fraction: String)? {
    guard text.utf8.count <= 15,
      let match = text.wholeMatch(of: /(-?)(0|[1-9][0-9]*)(?:\.([0-9]{1,6}?)0*)?/)
    else { return nil }
    let digits = String(match.2)
    let whole = digits.count < groupedFrom ? digits : digits.grouped(by: separator)
    let fraction = match.3.map(String.init) ?? ""
    return (match.1.isEmpty ? "" : minus, whole, fraction == "0" ? "" : fraction)
  }

  /// A date. Nil for a text that is not a date of the calendar, a month or a year. A time of RFC 3339 is written
  /// as its day at its own offset from UTC.
  func date(_ text: String) -> String? {
    let time = /([0-9-]{10})[Tt ][0-9]{2}:[0-9]{2}[0-9:.]*([Zz]|[+-][0-9]{2}:[0-9]{2})?/
    let calendarDay = text.wholeMatch(of: time).map { String($0.1) } ?? text
    guard let match = calendarDay.wholeMatch(of: /([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?/),
      let year = Int(match.1), year > 0
    else { return nil }
    var pattern = self.year
    var (name, day) = ("", 1)
    if let month = match.2.flatMap({ Int($0) }) {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      guard 1...12 ~= month else { return nil }
      pattern = self.month
      name = String(months.split(separator: " ")[month - 1])
      if let found = match.3.flatMap({ Int($0) }) {
        guard 1...days[month - 1] ~= found else { return nil }
        (pattern, day) = (date, found)
      }
    }
    return pattern.map { letter in
      switch letter {
      case "D": String(day)
      case "M": name
      case "Y": String(year)
      default: String(letter)
      }
    }.joined()
  }
}

extension String {
  /// Digits with a separator before each third one from the end.
  package func grouped(by separator: String) -> String {
    stride(from: count - 3, to: 0, by: -3).reduce(into: self) { text, offset in
      text.insert(contentsOf: separator, at: text.index(text.startIndex, offsetBy: offset))
    }
  }
}
