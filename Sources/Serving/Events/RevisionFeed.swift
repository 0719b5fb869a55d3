import Catalogue
@preconcurrency import Dispatch
import HTTP
import Synchronization

/// Sends the newest revisions of strips to event streams.
///
/// One timer serves all streams, and runs only while there are any. It looks up all strips at once, four
/// times a second. No strip is loaded for that. A stream gets at most one event a second and strip.
///
/// - Complexity: O(streams and strips), four times a second.
final class RevisionFeed: Sendable {
  private struct State {
    var listeners: [ObjectIdentifier: RevisionListener] = [:]
    var timer: (any DispatchSourceTimer)?
  }

  private let catalogue: any StripCatalogue
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.events")

  init(_ catalogue: any StripCatalogue) { self.catalogue = catalogue }

  /// A stream of the revisions of `strips`: the `newest` ones now, except those in `lastEvent`, and later
  /// each change. It ends when the `holder` may no longer read.
  func listen(
    to strips: [String], at newest: [String: Int64], after lastEvent: String?,
    by holder: TokenHolder? = nil
  ) -> EventStream {
    let identity = Identity()
    let stream = EventStream { [weak self] in self?.remove(identity) }
    var listener = RevisionListener(strips, after: lastEvent, by: holder, on: stream)
    let first = listener.events(of: newest, at: .now).events
    // The listener is stored first: the stream ends if its buffer is full, and is then removed.
    state.withLock { state in
      state.listeners[ObjectIdentifier(identity)] = listener
      if state.timer == nil { state.timer = timer() }
    }
    for event in first { stream.send(event) }
    return stream
  }

  /// The number of open streams.
  var count: Int { state.withLock { $0.listeners.count } }

  private func remove(_ identity: Identity) {
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
    timer.setEventHandler { [weak self] in self?.sendAll() }
    timer.activate()
    return timer
  }

  /// Sends new revisions to all streams. May block.
  func sendAll() {
    for listener in state.withLock({ Array($0.listeners.values) }) where !listener.mayStillRead {
      listener.end()
    }
    let strips = Set(state.withLock { $0.listeners.values.flatMap(\.strips) })
    // Strips that cannot be read now have no news.
    let newest = (try? catalogue.newestRevisions(of: strips.sorted())) ?? [:]
    let now = ContinuousClock.now
    // Sent without the lock: a stream whose buffer is full ends, and is removed under the lock.
    let due = state.withLock { state in
      state.listeners.keys.compactMap { key in
        state.listeners[key]?.events(of: newest, at: now)
      }
    }
    for (stream, events) in due { for event in events { stream.send(event) } }
  }

  private final class Identity: Sendable {}
}

/// An event stream, and the revisions that were sent to it.
struct RevisionListener {
  private struct Sent {
    let strip: String
    var revision: Int64?
    var at: ContinuousClock.Instant?
  }

  private let stream: EventStream
  /// Who reads the stream, where reading is closed.
  private let holder: TokenHolder?
  private var sent: [Sent]

  init(
    _ strips: [String], after lastEvent: String?, by holder: TokenHolder? = nil,
    on stream: EventStream
  ) {
    self.stream = stream
    self.holder = holder
    // The id of an event has the revisions of all strips, in the order of the request.
    let known = (lastEvent ?? "").split(separator: ",", omittingEmptySubsequences: false)
      .map { Int64($0) }
    sent = strips.enumerated().map { index, strip in
      Sent(strip: strip, revision: known.count == strips.count ? known[index] : nil)
    }
  }

  /// Whether the bearer may still read. May block.
  var mayStillRead: Bool { holder?.mayStillRead ?? true }

  func end() { stream.end() }

  var strips: [String] { sent.map(\.strip) }

  /// The events of strips that have changed, and had no event for a second.
  ///
  /// Only the last event has an id. A client that receives only some of the events reconnects with the id
  /// before, and receives all of them again.
  mutating func events(
    of newest: [String: Int64], at now: ContinuousClock.Instant
  ) -> (stream: EventStream, events: [Event]) {
    var changes: [String] = []
    for index in sent.indices {
      guard let revision = newest[sent[index].strip], revision != sent[index].revision else {
        continue
      }
      if let last = sent[index].at, now - last < .seconds(1) { continue }
      sent[index].revision = revision
      sent[index].at = now
      // A strip's name needs no escaping.
      changes.append(#"{"strip":"\#(sent[index].strip)","revision":\#(revision)}"#)
    }
    guard !changes.isEmpty else { return (stream, []) }
    let id = sent.map { $0.revision.map(String.init) ?? "" }.joined(separator: ",")
    let events =
      changes.dropLast().map { Event("revision", data: $0) }
      + changes.suffix(1).map { Event("revision", id: id, data: $0) }
    return (stream, events)
  }
}
