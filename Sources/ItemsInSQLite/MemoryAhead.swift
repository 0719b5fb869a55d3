import Glibc

/// Memory that a thread is about to ask for in many small pieces and to fill.
///
/// An allocator gets it from the system a few pages at a time, each of which costs the processor more
/// when it is first touched than what is then written there. Here one large piece is asked for, marked
/// as worth pages of 2 MB, and given back to the allocator, which cuts the small ones from it.
///
/// None of this is more than advice: where the allocator or the system does otherwise, all that is lost
/// is time.
struct MemoryAhead {
  /// Bytes of one piece: few enough to be cut up, enough to be mostly whole large pages.
  private static let piece = 16 << 20

  /// Bytes of the last piece that are not used yet, about.
  private var rest = 0

  /// Makes ready for `bytes` more.
  mutating func expect(_ bytes: Int) {
    if rest < bytes {
      // The first one, larger than any that was freed before, goes straight back to the system.
      advise(Self.piece + Self.piece / 8)
      advise(Self.piece)
      rest = Self.piece
    }
    rest -= bytes
  }

  private func advise(_ bytes: Int) {
    guard let start = malloc(bytes) else { return }
    let page = 4096
    let first = (Int(bitPattern: start) + page - 1) / page * page
    let end = (Int(bitPattern: start) + bytes) / page * page
    madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_HUGEPAGE)
    free(start)
  }
}
