import CMicrohttpd
private import Glibc

/// The value of `Date` (RFC 9110 section 5.6.7): Thu, 01 Jan 1970 00:00:00 GMT.
package struct HTTPDate: Sendable {
  /// In seconds since 1970.
  let second: Int
  package let bytes: [UInt8]

  package static let count = 29

  package init(second: Int) {
    self.second = second
    bytes = [UInt8](unsafeUninitializedCapacity: Self.count + 1) { buffer, count in
      var (time, parts) = (time_t(second), tm())
      gmtime_r(&time, &parts)
      count = strftime(buffer.baseAddress, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    }
  }
}

/// Formats each second once.
final class DateClock: @unchecked Sendable {
  // Only the worker's thread uses it.
  private var last = HTTPDate(second: 0)

  /// The current date. It may be a few milliseconds behind.
  var now: HTTPDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    if time.tv_sec != last.second { last = HTTPDate(second: time.tv_sec) }
    return last
  }
}
