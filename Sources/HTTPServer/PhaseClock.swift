private import Glibc
import Synchronization

/// What a connection is waiting for.
enum Phase: UInt64 {
  case opened, head, body, answering, sending, streaming, idle
  /// Nothing: it was told that it was too slow, and ends.
  case refused
}

/// A phase, when it began and how much is sent in it, in one word that threads can share.
struct PhaseClock: AtomicRepresentable {
  typealias AtomicRepresentation = UInt64.AtomicRepresentation

  // Milliseconds in the upper 40 bits, KiB in 20, the phase in four.
  private let word: UInt64

  private init(word: UInt64) { self.word = word }

  init(_ phase: Phase, sending count: Int, since now: Milliseconds) {
    word = now.value << 24 | UInt64(min(count >> 10, 0xF_FFFF)) << 4 | phase.rawValue
  }

  var phase: Phase { Phase(rawValue: word & 0xF) ?? .opened }

  /// Bytes sent, in whole KiB.
  var count: Int { Int(word >> 4 & 0xF_FFFF) << 10 }

  /// Milliseconds from its beginning to `now`; 0 where it began after `now` was read.
  func elapsed(at now: Milliseconds) -> Int {
    // A difference of 40 bits, its sign brought to the top and back.
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

/// A clock that never goes back, and is right to well below a microsecond.
enum Nanoseconds {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// A point in time, on a clock that never goes back and costs next to nothing to read.
struct Milliseconds: Sendable {
  let value: UInt64

  /// Now, right to a few milliseconds.
  static var now: Milliseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Milliseconds(value: UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000)
  }
}
