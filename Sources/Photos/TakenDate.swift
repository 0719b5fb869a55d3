import Glibc
package import PictureMessages
import Views

/// When a picture was taken.
package struct TakenDate: Hashable, Sendable {
  /// RFC 3339, without an offset if it is not known.
  package let text: String

  /// By the clock of the place: `2024-05-01T12:00:00`. Pictures are in its order, so that those of a month stand together.
  var clock: Substring { text.prefix(19) }

  /// As `2024-05`.
  package var month: String { String(text.prefix(7)) }

  /// EXIF's DateTimeOriginal, or else its DateTime, or else the time at which the file was changed, in seconds since 1970: of the
  /// years with four digits.
  package init(_ header: PictureHeader, modified: Int) {
    if let original = Self.clock(header[.original]) {
      let dated = original + header[.offset]
      text = DateInterval(dated.utf8) == nil ? original : dated
    } else if let changed = Self.clock(header[.changed]) {
      text = changed
    } else {
      var (seconds, parts) = (min(max(modified, -30_600_000_000), 253_402_000_000), tm())
      localtime_r(&seconds, &parts)
      var bytes = [CChar](repeating: 0, count: 32)
      strftime(&bytes, bytes.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
      let local = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      text = "\(local.dropLast(2)):\(local.suffix(2))"
    }
  }

  /// The clock of `2024:05:01 12:00:00`. Nil if it is no date: cameras without a clock write zeros or spaces.
  private static func clock(_ text: String) -> String? {
    var clock = Array(text.utf8)
    guard clock.count == 19 else { return nil }
    (clock[4], clock[7], clock[10]) = (UInt8(ascii: "-"), UInt8(ascii: "-"), UInt8(ascii: "T"))
    return DateInterval(clock) == nil ? nil : String(decoding: clock, as: UTF8.self)
  }
}
