/// Where a response goes that is made later: to a client that may have left by then.
///
///     .later { delivery in
///       queue.add { if delivery.isAwaited { delivery(response) } else { delivery(nothing) } }
///     }
///
/// Something is delivered, once, even where nobody waits: that is what the connection ends with.
package struct Responder: Sendable {
  private let deliver: @Sendable (Response) -> Void
  private let isWanted: @Sendable () -> Bool

  /// - Parameters:
  ///   - isAwaited: whether the client is still there; asked from any thread.
  ///   - deliver: takes the response, from any thread.
  package init(
    isAwaited: @escaping @Sendable () -> Bool = { true },
    _ deliver: @escaping @Sendable (Response) -> Void
  ) {
    self.deliver = deliver
    isWanted = isAwaited
  }

  /// Whether the client still waits. One that has closed its sending half counts as gone, as it does
  /// for nginx: nothing tells it from one that has closed everything.
  package var isAwaited: Bool { isWanted() }

  package func callAsFunction(_ response: Response) { deliver(response) }

  /// Delivers to the same client what `transform` makes of a response.
  func after(_ transform: @escaping @Sendable (consuming Response) -> Response) -> Responder {
    Responder(isAwaited: isWanted) { deliver(transform($0)) }
  }
}
