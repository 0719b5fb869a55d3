import HTTP

/// A stream, and what it was told.
struct RevisionListener {
  private struct Told {
    let strip: String
    var revision: Int64?
    var at: ContinuousClock.Instant?
  }

  private let stream: EventStream
  /// Who listens, where reading is closed.
  private let reader: ReadToken?
  private var told: [Told]

  init(
    _ strips: [String], after lastEvent: String?, by reader: ReadToken? = nil,
    on stream: EventStream
  ) {
    self.stream = stream
    self.reader = reader
    // An event's id holds the revisions of all strips, in the order in which they were asked for.
    let known = (lastEvent ?? "").split(separator: ",", omittingEmptySubsequences: false)
      .map { Int64($0) }
    told = strips.enumerated().map { place, strip in
      Told(strip: strip, revision: known.count == strips.count ? known[place] : nil)
    }
  }

  /// Whether who listens may still read.
  var isAdmitted: Bool { reader?.isStillAdmitted ?? true }

  func end() { stream.end() }

  var strips: [String] { told.map(\.strip) }

  mutating func tell(_ newest: [String: Int64], at now: ContinuousClock.Instant) {
    for event in events(of: newest, at: now).events { stream.send(event) }
  }

  /// The events that are due: of strips that have changed, and were not told of for a second.
  mutating func events(
    of newest: [String: Int64], at now: ContinuousClock.Instant
  ) -> (stream: EventStream, events: [Event]) {
    var events: [Event] = []
    for place in told.indices {
      guard let revision = newest[told[place].strip], revision != told[place].revision else {
        continue
      }
      if let last = told[place].at, now - last < .seconds(1) { continue }
      told[place].revision = revision
      told[place].at = now
      // A strip's name needs no escaping.
      events.append(
        Event(
          "revision", id: told.map { $0.revision.map(String.init) ?? "" }.joined(separator: ","),
          data: #"{"strip":"\#(told[place].strip)","revision":\#(revision)}"#))
    }
    return (stream, events)
  }
}
