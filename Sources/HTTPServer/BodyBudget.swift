import Synchronization

/// The bytes of requests' bodies that the whole server has in hand: so many connections, each with
/// the longest body allowed, would be more memory than there is.
///
/// A body counts from its first byte until its request is answered, as long as somebody may still
/// read it.
final class BodyBudget: Sendable {
  private let count = Atomic(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Bytes in hand now.
  var taken: Int { count.load(ordering: .relaxed) }

  /// Takes room for `bytes` more; false, and takes none, where there is not enough.
  func take(_ bytes: Int) -> Bool {
    guard count.add(bytes, ordering: .relaxed).newValue <= limit else {
      count.subtract(bytes, ordering: .relaxed)
      return false
    }
    return true
  }

  func giveBack(_ bytes: Int) {
    if bytes > 0 { count.subtract(bytes, ordering: .relaxed) }
  }
}
