import Items
import Windowing

/// A date of RFC 3339 as the interval that it names: a year, a month, a day, or a time of day.
///
///     DateInterval("2019-04")                    // the first of April up to the first of May
///     DateInterval("2019-04-01T12:30:00+02:00")  // one second
///     DateInterval("2019-13")                    // nil
///
/// A time is `hh:mm`, also with seconds and a fraction of them. Only a time can have an offset. A year alone is from 1000 to
/// 9999, because it must also follow JSON's grammar of numbers.
package struct DateInterval: Hashable, Sendable {
  /// Microseconds since the year 0 on the local clock. The calendar is the Gregorian one.
  package let local: Range<Int64>
  /// The minutes by which the local clock is ahead of UTC. Nil if the date has no offset: then it counts as UTC.
  package let offset: Int64?

  /// The same interval in UTC.
  package var utc: Range<Int64> {
    let ahead = 60_000_000 * (offset ?? 0)
    return local.lowerBound - ahead..<local.upperBound - ahead
  }

  /// Nil if the text is no date. O(1).
  package init?(_ text: some Collection<UInt8>) {
    guard 4...40 ~= text.count else { return nil }
    guard let interval = Array(text).withUnsafeBytes({ Self($0) }) else { return nil }
    self = interval
  }

  private init(local: Range<Int64>, offset: Int64?) {
    (self.local, self.offset) = (local, offset)
  }

  init?(_ text: UnsafeRawBufferPointer) {
    var reader = DateReader(text)
    guard let year = reader.number(digits: 4) else { return nil }
    guard let month = reader.part("-", in: 1...12) else {
      guard reader.isAtEnd, year >= 1000 else { return nil }
      self.init(Self.day(year, 1, 1)..<Self.day(year + 1, 1, 1))
      return
    }
    let next = month == 12 ? Self.day(year + 1, 1, 1) : Self.day(year, month + 1, 1)
    let first = Self.day(year, month, 1)
    guard let day = reader.part("-", in: 1...next - first) else {
      guard reader.isAtEnd else { return nil }
      self.init(first..<next)
      return
    }
    let start = first + day - 1
    guard !reader.isAtEnd else {
      self.init(start..<start + 1)
      return
    }
    guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let hour = reader.number(digits: 2), hour < 24,
      let minute = reader.part(":", in: 0...59)
    else { return nil }
    var micros = 60_000_000 * (1440 * start + 60 * hour + minute)
    var length: Int64 = 60_000_000
    // 60 is a leap second.
    if let second = reader.part(":", in: 0...60) {
      micros += 1_000_000 * second
      length = 1_000_000
      if reader.skip(".") {
        guard let digit = reader.number(digits: 1) else { return nil }
        var next: Int64? = digit
        while let digit = next {
          // Digits beyond microseconds do not count.
          if length > 1 {
            length /= 10
            micros += length * digit
          }
          next = reader.number(digits: 1)
        }
      }
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    self.init(local: micros..<micros + length, offset: offset)
  }

  /// An interval of days.
  private init(_ days: Range<Int64>) {
    let day: Int64 = 86_400_000_000
    self.init(local: days.lowerBound * day..<days.upperBound * day, offset: nil)
  }

  /// The first microsecond of a month.
  static func start(_ year: Int64, _ month: Int64) -> Int64 { 86_400_000_000 * day(year, month, 1) }

  /// The number of a day, from the first of March of the year 0 on, so that a leap day is the last of its year.
  private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (year, month) = month < 3 ? (year - 1, month + 9) : (year, month - 3)
    let leapDays = (year >> 2) - Self.floor(year, by: 100) + Self.floor(year, by: 400)
    return 365 * year + leapDays + (153 * month + 2) / 5 + day - 1
  }

  private static func floor(_ number: Int64, by divisor: Int64) -> Int64 {
    number < 0 ? -((divisor - 1 - number) / divisor) : number / divisor
  }
}

extension DateInterval {
  /// -1 if an item's date begins before this interval, 0 if it begins in the interval, 1 if after it.
  ///
  /// An interval with an offset compares times in UTC. One without an offset compares the item's date as a local clock
  /// showed it.
  package func order(of date: DateInterval) -> Int {
    let (start, own) = offset == nil ? (date.local.lowerBound, local) : (date.utc.lowerBound, utc)
    return start < own.lowerBound ? -1 : start < own.upperBound ? 0 : 1
  }

  /// Whether all of an item's date is in this interval.
  package func contains(_ date: DateInterval) -> Bool {
    let (other, own) = offset == nil ? (date.local, local) : (date.utc, utc)
    return own.lowerBound <= other.lowerBound && other.upperBound <= own.upperBound
  }
}

// MARK: - Order

/// The place of a date in a sort, among numbers and other dates. Nil for a text that does not begin with four digits and a
/// hyphen.
///
///     1998  1998-03  1998-99  1999  1999-04-01T12:00+02:00  1999-04-01T11:00Z
///
/// A date comes after the number of its year in UTC. Other texts of this form, such as seasons and accession numbers, are
/// in the order of their bytes among the dates without offset.
struct ComparableDate: Comparable {
  /// In UTC.
  let year: Double
  /// Microseconds, as in `DateInterval`. Texts of the same microsecond are in the order of their bytes.
  private let instant: Int64

  init?(_ text: UnsafeRawBufferPointer) {
    guard text.count > 4, text[4] == UInt8(ascii: "-") else { return nil }
    var reader = DateReader(text)
    guard let own = reader.number(digits: 4) else { return nil }
    func start(_ year: Int64, _ month: Int64 = 1) -> Int64 { DateInterval.start(year, month) }
    if let date = DateInterval(text) {
      instant = date.utc.lowerBound
      year = Double(instant < start(own) ? own - 1 : instant < start(own + 1) ? own : own + 1)
      return
    }
    year = Double(own)
    if let month = reader.part("-", in: 0...99) {
      instant = month > 12 ? start(own + 1) - 1 : start(own, max(1, month))
    } else {
      // A single digit: `1` is after `09` and before `10`.
      let next = text.count > 5 ? text[5] : 0
      instant =
        next < UInt8(ascii: "1")
        ? start(own) : next == UInt8(ascii: "1") ? start(own, 10) : start(own + 1) - 1
    }
  }

  static func < (left: ComparableDate, right: ComparableDate) -> Bool {
    left.instant < right.instant
  }
}

/// The characters of a date, one after the other.
private struct DateReader {
  private let text: UnsafeRawBufferPointer
  private var position = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  var isAtEnd: Bool { position == text.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// A number of this many digits. Nil, without a step, if there are fewer.
  mutating func number(digits: Int) -> Int64? {
    guard text.count - position >= digits else { return nil }
    var number: Int64 = 0
    for index in position..<position + digits {
      guard text[index].isDigit else { return nil }
      number = 10 * number + Int64(text[index] - UInt8(ascii: "0"))
    }
    position += digits
    return number
  }

  /// A number of two digits after a separator. Nil, without a step, if it is not there.
  mutating func part(_ separator: Unicode.Scalar, in range: ClosedRange<Int64>) -> Int64? {
    let start = position
    if skip(separator), let number = number(digits: 2), range ~= number { return number }
    position = start
    return nil
  }

  /// The offset in minutes. The inner optional is nil if the text has no offset, the outer one if the offset is malformed.
  mutating func offset() -> Int64?? {
    if isAtEnd { return .some(nil) }
    if skip("Z") || skip("z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(digits: 2), hours < 24,
      let minutes = part(":", in: 0...59)
    else { return .none }
    return isAhead ? 60 * hours + minutes : -60 * hours - minutes
  }
}
