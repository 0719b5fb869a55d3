import Catalogue
@preconcurrency import Dispatch
import Logging
import Serving
import Synchronization

/// What a server does before requests are welcome, and whether they are: it reads what takes long,
/// and says how far it is.
final class Loading: Sendable {
  private enum State { case loading, ready, stopping }

  private let progress = LoadProgress()
  private let state = Mutex(State.loading)
  private let logger: Logger

  init(logger: Logger) { self.logger = logger }

  /// What `/readyz` is to say.
  var readiness: Readiness {
    switch state.withLock({ $0 }) {
    case .loading where progress.obstacle != nil: .waiting
    case .loading: .loading(progress.loaded, of: progress.total)
    case .ready: .ready
    case .stopping: .stopping
    }
  }

  /// Reads what takes long of `catalogue`, on another thread, and calls `done` when requests are
  /// welcome. What cannot be read is logged, and told to whoever asks for it.
  ///
  /// - Parameter address: where the server listens meanwhile.
  func start(
    _ catalogue: any StripCatalogue, at address: String, done: @escaping @Sendable () -> Void
  ) {
    let start = ContinuousClock.now
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "carousel.loading"))
    timer.setEventHandler { [self] in
      if let obstacle = progress.obstacle {
        logger.warning("Listening on \(address), and waiting: \(obstacle)")
      } else {
        logger.info(
          "Listening on \(address), reading \(progress.total.of("item")): \(progress.loaded.grouped) so far"
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
        logger.info("Read \(progress.loaded.of("item")) in \(start.duration(to: .now))")
      }
      let isReady = state.withLock { state in
        guard case .loading = state else { return false }
        state = .ready
        return true
      }
      if isReady { done() }
    }
  }

  /// Has it that requests are no longer welcome.
  func stop() { state.withLock { $0 = .stopping } }
}
