import Catalogue
import Dispatch

/// The end of a server's work with its database, which may take longer than the server has left: what
/// is not done then is done by whoever opens the database next.
struct Closing {
  private let isDone = DispatchSemaphore(value: 0)

  init(_ editor: any StripEditor) {
    DispatchQueue(label: "carousel.closing").async { [isDone] in
      editor.close()
      isDone.signal()
    }
  }

  /// Waits until it is done, or until `end`.
  func wait(until end: ContinuousClock.Instant) {
    _ = isDone.wait(timeout: .now() + max(0, (end - .now) / .seconds(1)))
  }
}
