private import Glibc
import Synchronization

/// What a connection waits for.
enum Phase: UInt64 {
  case opened, head, body, answering, sending, streaming, idle
  /// The client was too slow and got a rejection. The connection is closing.
  case rejected
}

/// A phase, its start time, and the number of bytes to send or received in it. It fits one atomic
/// word, because several threads read it.
struct PhaseClock: AtomicRepresentable {
  typealias AtomicRepresentation = UInt64.AtomicRepresentation

  // 40 bits of milliseconds, 20 bits of KiB, 4 bits of phase.
  private let word: UInt64

  private init(word: UInt64) { self.word = word }

  init(_ phase: Phase, of count: Int = 0, since start: Milliseconds) {
    word = start.value << 24 | UInt64(min(count >> 10, 0xF_FFFF)) << 4 | phase.rawValue
  }

  /// The same phase with another number of bytes.
  func counting(_ count: Int) -> PhaseClock {
    PhaseClock(phase, of: count, since: Milliseconds(value: word >> 24))
  }

  var phase: Phase { Phase(rawValue: word & 0xF) ?? .opened }

  /// The number of bytes, rounded down to KiB.
  var count: Int { Int(word >> 4 & 0xF_FFFF) << 10 }

  /// Milliseconds from the beginning of the phase to `now`. 0 if the phase began after `now`.
  func elapsed(at now: Milliseconds) -> Int {
    // A signed difference of 40 bits: the shifts extend its sign.
    max(Int(truncatingIfNeeded: (now.value &- word >> 24) << 24) >> 24, 0)
  }

  static func encodeAtomicRepresentation(_ value: consuming PhaseClock) -> AtomicRepresentation {
    UInt64.encodeAtomicRepresentation(value.word)
  }

  static func decodeAtomicRepresentation(
    _ representation: consuming AtomicRepresentation
  ) -> PhaseClock {
    PhaseClock(word: UInt64.decodeAtomicRepresentation(representation))
  }
}

/// The monotonic clock, with a resolution below 1 µs.
enum Nanoseconds {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// A time on the coarse monotonic clock, which is cheap to read.
struct Milliseconds: Sendable {
  let value: UInt64

  /// The current time. It may be a few milliseconds behind.
  static var now: Milliseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Milliseconds(value: UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000)
  }
}

/// The value of `Date` (RFC 9110 section 5.6.7).
///
///     HTTPDate(second: 0)   // Thu, 01 Jan 1970 00:00:00 GMT
struct HTTPDate: Sendable {
  /// Seconds since 1970.
  let second: Int
  let bytes: [UInt8]

  /// The length of every date in bytes.
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

/// The current date. It formats each second once.
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
