private import Glibc

/// What `Date` says of a second (RFC 9110, 5.6.7).
///
///     DateText(second: 0)   // Thu, 01 Jan 1970 00:00:00 GMT
struct DateText: Sendable {
  /// Seconds since 1970.
  let second: Int
  /// The text, as long for each second.
  let bytes: [UInt8]

  static let count = 29

  init(second: Int) {
    self.second = second
    bytes = [UInt8](unsafeUninitializedCapacity: Self.count + 1) { buffer, count in
      var (time, parts) = (time_t(second), tm())
      gmtime_r(&time, &parts)
      count = strftime(buffer.baseAddress, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    }
  }
}

/// The second that it is, written once for all answers of a worker in it.
final class DateClock: @unchecked Sendable {
  // Its worker's thread alone touches it.
  private var last = DateText(second: 0)

  /// Now, right to a few milliseconds.
  var now: DateText {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    if time.tv_sec != last.second { last = DateText(second: time.tv_sec) }
    return last
  }
}
