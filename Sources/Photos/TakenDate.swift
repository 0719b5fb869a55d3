import Glibc
package import PictureMessages

/// When a picture was taken.
package struct TakenDate: Hashable, Sendable {
  /// By the clock of the place: `2024-05-01T12:00:00`. Pictures are in its order, so that those of a month stand together.
  let clock: String
  /// Such as `+02:00`. Empty if it is not known.
  let offset: String

  /// RFC 3339, without an offset if it is not known.
  package var text: String { clock + offset }

  /// As `2024-05`.
  package var month: String { String(clock.prefix(7)) }

  /// EXIF's DateTimeOriginal, or else its DateTime, or else the time at which the file was changed.
  package init(_ header: PictureHeader, modified: Int) {
    let (original, changed) = (Self.clock(header[.original]), Self.clock(header[.changed]))
    var (seconds, parts) = (time_t(modified / 1_000_000_000), tm())
    localtime_r(&seconds, &parts)
    clock = original ?? changed ?? Self.text(&parts, "%Y-%m-%dT%H:%M:%S")
    if original != nil {
      offset = Self.isOffset(header[.offset]) ? header[.offset] : ""
    } else {
      let zone = Self.text(&parts, "%z")
      offset = changed == nil ? "\(zone.prefix(3)):\(zone.suffix(2))" : ""
    }
  }

  /// The clock of `2024:05:01 12:00:00`. Nil if it is no date: cameras without a clock write zeros or spaces.
  private static func clock(_ text: String) -> String? {
    let numbers = text.split(whereSeparator: { ": ".contains($0) }).compactMap { Int32($0) }
    guard text.utf8.count == 19, numbers.count == 6, 1000...9999 ~= numbers[0] else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    // It changes what is out of range.
    timegm(&parts)
    let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
    guard date + [parts.tm_hour, parts.tm_min, parts.tm_sec] == numbers else { return nil }
    return Self.text(&parts, "%Y-%m-%dT%H:%M:%S")
  }

  private static func text(_ parts: inout tm, _ format: String) -> String {
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }

  private static func isOffset(_ text: String) -> Bool {
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    return text.utf8.count == 6 && "+-".contains(text.prefix(1)) && parts.count == 2
      && 0...14 ~= parts[0] && 0...59 ~= parts[1]
  }
}
