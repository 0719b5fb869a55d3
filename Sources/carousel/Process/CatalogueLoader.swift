import Catalogue
@preconcurrency import Dispatch
import Items
import Logging
import Serving
import Synchronization

/// Loads the long strips of a catalogue when a server starts, and tells `/readyz` its state.
///
/// A server listens while it loads. It logs the progress every two seconds.
final class CatalogueLoader: Sendable {
  private enum State { case loading, ready, stopping }

  private let progress = LoadProgress()
  private let state = Mutex(State.loading)
  private let logger: Logger

  init(logger: Logger) { self.logger = logger }

  var readiness: Readiness {
    switch state.withLock({ $0 }) {
    case .loading where progress.unavailabilityReason != nil: .waiting
    case .loading: .loading(progress.loaded, of: progress.total)
    case .ready: .ready
    case .stopping: .stopping
    }
  }

  /// Loads `catalogue` on another thread, then calls `done`, unless the server stops first. Strips
  /// that cannot be loaded are logged.
  func start(
    _ catalogue: any StripCatalogue, at address: String, done: @escaping @Sendable () -> Void
  ) {
    let start = ContinuousClock.now
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "carousel.loader"))
    timer.setEventHandler { [self] in
      if let unavailabilityReason = progress.unavailabilityReason {
        logger.warning("Listening on \(address), waiting for the database: \(unavailabilityReason)")
      } else {
        logger.info(
          "Listening on \(address), loading: \(progress.loaded.grouped) of \(progress.total.of("item"))"
        )
      }
    }
    timer.schedule(deadline: .now() + .milliseconds(200), repeating: .seconds(2))
    timer.activate()
    DispatchQueue.global().async { [self] in
      do throws(CatalogueError) {
        try catalogue.load(progress)
      } catch {
        logger.error("\(error)")
      }
      timer.cancel()
      if progress.loaded > 0 {
        logger.info("Loaded \(progress.loaded.of("item")) in \(start.duration(to: .now))")
      }
      let isReady = state.withLock { state in
        guard case .loading = state else { return false }
        state = .ready
        return true
      }
      if isReady { done() }
    }
  }

  func stop() { state.withLock { $0 = .stopping } }
}
