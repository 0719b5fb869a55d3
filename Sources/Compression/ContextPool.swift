import Synchronization

/// A pool of contexts. A thread borrows one context at a time. The pool grows to the largest number
/// of threads that used a context at the same time.
///
/// - Complexity: O(1), and one uncontended lock before and after each use.
final class ContextPool<Context: ~Copyable>: Sendable {
  /// Owns one context. Only the borrower uses it.
  private final class Box: @unchecked Sendable {
    let context: Context
    init(_ context: consuming Context) { self.context = context }
  }

  private let free = Mutex<[Box]>([])
  private let make: @Sendable () -> Context?

  /// - Parameter make: makes a context. Nil if there is no memory.
  init(make: @escaping @Sendable () -> Context?) { self.make = make }

  /// The result of `body`. Nil if there is no memory for a context.
  func withContext<Result>(_ body: (borrowing Context) -> Result?) -> Result? {
    guard let box = free.withLock({ $0.popLast() }) ?? makeBox() else { return nil }
    defer { free.withLock { $0.append(box) } }
    return body(box.context)
  }

  private func makeBox() -> Box? {
    guard let context = make() else { return nil }
    return Box(context)
  }
}
