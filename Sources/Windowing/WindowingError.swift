/// Why a question about a strip has no answer.
public enum WindowingError: Error, Hashable, Sendable {
  /// The strip does not wrap and has no item at this index.
  case noItem(at: Int)

  /// The extent, a position or an index would lie beyond 2^47 px.
  case outOfRange

  /// The window would have this many items, which is more than were asked for at most.
  case tooManyItems(Int)
}
