import Catalogue
@preconcurrency import Dispatch
import HTTP
import Synchronization

/// Tells whoever listens of the newest revisions of strips.
///
/// One timer looks after all listeners, and only while there are any: it asks the catalogue for each
/// strip once, and nobody is told of one strip more often than once a second.
///
/// - Complexity: a look at the clock for each listener and strip, four times a second.
final class RevisionFeed: Sendable {
  private struct State {
    var listeners: [ObjectIdentifier: RevisionListener] = [:]
    var timer: (any DispatchSourceTimer)?
  }

  private let catalogue: any StripCatalogue
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.events")

  init(_ catalogue: any StripCatalogue) { self.catalogue = catalogue }

  /// A stream that tells the `newest` revisions of `strips` now, but for what `lastEvent` says is
  /// known, and whenever one changes; it ends when the `reader` may no longer read.
  func listen(
    to strips: [String], at newest: [String: Int64], after lastEvent: String?,
    by reader: ReadToken? = nil
  ) -> EventStream {
    let identity = Identity()
    let stream = EventStream { [weak self] in self?.forget(identity) }
    var listener = RevisionListener(strips, after: lastEvent, by: reader, on: stream)
    listener.tell(newest, at: .now)
    state.withLock { state in
      state.listeners[ObjectIdentifier(identity)] = listener
      if state.timer == nil { state.timer = timer() }
    }
    return stream
  }

  /// Streams that are open.
  var count: Int { state.withLock { $0.listeners.count } }

  private func forget(_ identity: Identity) {
    state.withLock { state in
      state.listeners[ObjectIdentifier(identity)] = nil
      guard state.listeners.isEmpty else { return }
      state.timer?.cancel()
      state.timer = nil
    }
  }

  private func timer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.setEventHandler { [weak self] in self?.tellAll() }
    timer.activate()
    return timer
  }

  private func tellAll() {
    for listener in state.withLock({ Array($0.listeners.values) }) where !listener.isAdmitted {
      listener.end()
    }
    var newest: [String: Int64] = [:]
    for strip in Set(state.withLock { $0.listeners.values.flatMap(\.strips) }) {
      // A strip that cannot be read now, or is gone, has no news; the next look may find it again.
      newest[strip] = try? catalogue.edition(of: strip, at: nil).revision
    }
    let now = ContinuousClock.now
    // Told outside the lock: a stream that is overrun ends, and comes back to be forgotten.
    let due = state.withLock { state in
      state.listeners.keys.compactMap { key in
        state.listeners[key]?.events(of: newest, at: now)
      }
    }
    for (stream, events) in due { for event in events { stream.send(event) } }
  }

  private final class Identity: Sendable {}
}
