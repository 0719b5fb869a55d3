package import Items
import Synchronization
import Views

/// Whether the last change failed because the disk did not take it, so that operators see it.
///
/// A change that succeeds resets this. So does a successful probe of the database: a server that rejects changes may get no
/// more of them.
package final class WriteHealth: Sendable {
  private let isRejected = Atomic(false)

  package init() {}

  /// Why changes fail, as clients may read it; nil if the disk took the last change.
  package var failureReason: String? {
    isRejected.load(ordering: .relaxed)
      ? "the last change failed: no space is left, a limit is reached, or the disk is broken" : nil
  }

  package func recover() { isRejected.store(false, ordering: .relaxed) }

  /// Makes a change. A step of maintenance does not count: it needs less space than a change, and its failure is logged.
  package func recording<Value>(
    _ body: () throws(CatalogueError) -> Value
  ) throws(CatalogueError) -> Value {
    do throws(CatalogueError) {
      let value = try body()
      recover()
      return value
    } catch {
      switch error {
      case .full, .outcomeUnknown: isRejected.store(true, ordering: .relaxed)
      default: break
      }
      throw error
    }
  }
}
