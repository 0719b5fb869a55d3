package import Catalogue
@preconcurrency import Dispatch
package import HTTP
import Synchronization

/// Sends the newest revisions of strips to event streams.
///
/// One timer serves all streams. While streams are open, it looks up the revisions of all strips four
/// times a second, in one query that loads no strip. A stream gets at most one event a second for each
/// strip.
///
/// With an interval, all streams get the same revision of a strip: the first one that was looked up in the
/// interval. So pages that follow the strip request the same windows, and caches share them. Intervals start
/// at whole multiples of their length since 1970, so all servers of a database change at the same time.
package final class RevisionFeed: Sendable {
  private struct State {
    var subscriptions: [ObjectIdentifier: Subscription] = [:]
    var timer: (any DispatchSourceTimer)?
    /// The revisions that are announced in the interval `interval`.
    var announced: [String: Int64] = [:]
    var interval: Int64 = 0
  }

  private let catalogue: any StripCatalogue
  /// In microseconds. Nil to announce each revision.
  private let interval: Int64?
  private let clock: @Sendable () -> Int64
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.events")

  /// The longest interval, in seconds: pages have as long again to load a revision before the store drops it.
  package static let longestInterval = Int(Retention.microseconds) / 2_000_000

  /// - Parameters:
  ///   - seconds: the length of the interval, at most `longestInterval`.
  ///   - clock: microseconds since 1970.
  package init(
    _ catalogue: any StripCatalogue, every seconds: Int? = nil,
    clock: @escaping @Sendable () -> Int64 = { WallClock.now }
  ) {
    self.catalogue = catalogue
    interval = seconds.map { Int64($0) * 1_000_000 }
    self.clock = clock
  }

  /// The revisions to announce while these ones are the newest.
  private func announced(_ newest: [String: Int64]) -> [String: Int64] {
    guard let interval else { return newest }
    return state.withLock { state in
      // Reads the clock under the lock. A thread with an earlier time would otherwise begin an interval again that has
      // ended.
      let number = clock() / interval
      if state.interval != number { (state.interval, state.announced) = (number, [:]) }
      state.announced.merge(newest) { first, _ in first }
      return state.announced
    }
  }

  /// Opens a stream. It first sends the `newest` revisions that are not in `lastEvent`, and then each
  /// change. It ends when the token of `principal` becomes invalid.
  package func subscribe(
    to strips: [String], at newest: [String: Int64], after lastEvent: String?,
    by principal: Principal? = nil
  ) -> EventStream {
    let stream = EventStream { [weak self] in self?.remove($0) }
    var subscription = Subscription(strips, after: lastEvent, by: principal, on: stream)
    let first = subscription.events(of: announced(newest), at: .now).events
    // The subscription is stored before the first events. If they fill the buffer, the stream ends and
    // removes its subscription.
    state.withLock { state in
      state.subscriptions[ObjectIdentifier(stream)] = subscription
      if state.timer == nil { state.timer = timer() }
    }
    first.forEach(stream.send)
    return stream
  }

  /// The number of open streams.
  package var count: Int { state.withLock { $0.subscriptions.count } }

  private func remove(_ stream: EventStream) {
    state.withLock { state in
      state.subscriptions[ObjectIdentifier(stream)] = nil
      guard state.subscriptions.isEmpty else { return }
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
  package func sendAll() {
    let subscriptions = state.withLock { Array($0.subscriptions.values) }
    let invalid = Principal.invalidTokens(of: subscriptions.compactMap(\.principal))
    for subscription in subscriptions where subscription.principal?.hasToken(in: invalid) == true {
      subscription.stream.end()
    }
    let strips = Set(state.withLock { $0.subscriptions.values.flatMap(\.strips) })
    // If the lookup fails, no stream gets an event.
    let newest = announced((try? catalogue.newestRevisions(of: strips.sorted())) ?? [:])
    let now = ContinuousClock.now
    // Events are sent without the lock: a full buffer ends its stream, and the removal of the stream takes the lock.
    let due = state.withLock { state in
      state.subscriptions.keys.compactMap { key in
        state.subscriptions[key]?.events(of: newest, at: now)
      }
    }
    for (stream, events) in due { events.forEach(stream.send) }
  }
}

/// An event stream, and the revisions that were sent to it.
package struct Subscription {
  private struct Sent {
    let strip: String
    var revision: Int64?
    var at: ContinuousClock.Instant?
  }

  fileprivate let stream: EventStream
  fileprivate let principal: Principal?
  private var sent: [Sent]

  package init(
    _ strips: [String], after lastEvent: String?, by principal: Principal? = nil,
    on stream: EventStream
  ) {
    self.stream = stream
    self.principal = principal
    // An event's id lists the revisions of all strips, in the order of the request.
    let known = (lastEvent ?? "").split(separator: ",", omittingEmptySubsequences: false)
      .map { Int64($0) }
    sent = strips.enumerated().map { index, strip in
      Sent(strip: strip, revision: known.count == strips.count ? known[index] : nil)
    }
  }

  var strips: [String] { sent.map(\.strip) }

  /// The events of strips that have a new revision and had no event in the last second.
  ///
  /// Only the last event has an id. A client that misses this event reconnects with the previous id,
  /// and gets all of them again.
  package mutating func events(
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
