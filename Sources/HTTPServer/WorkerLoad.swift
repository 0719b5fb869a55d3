import Synchronization

/// What a worker has in hand, for other threads to read.
///
/// An object of its own, which may be referred to weakly: objects that are cost more to hold, and a
/// worker is held for each request.
final class WorkerLoad: Sendable {
  /// Connections that it has or was given.
  let connections = Atomic(0)
  /// Requests whose answer is still being made.
  let late = Atomic(0)
  /// Event streams that are open.
  let streams = Atomic(0)
}
