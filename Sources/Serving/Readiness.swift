/// What `/readyz` says: whether requests are welcome.
package enum Readiness: Sendable {
  case ready
  /// The catalogue is away, and waited for.
  case waiting
  /// So many items of the catalogue have been read, of so many.
  case loading(Int, of: Int)
  case stopping
}
