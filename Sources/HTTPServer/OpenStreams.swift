import HTTP

/// The event streams of a worker's connections.
struct OpenStreams {
  private struct Entry {
    let stream: EventStream
    let socket: Int32
    var heartbeat: ContinuousClock.Instant
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private let limit: Int
  private let interval: Duration

  init(limit: Int, heartbeat interval: Duration) {
    self.limit = limit
    self.interval = interval
  }

  /// Adds the stream that `conversation` gets; false where there are as many as there may be.
  mutating func add(_ stream: EventStream, of conversation: Connection) -> Bool {
    guard entries.count < limit else { return false }
    entries[ObjectIdentifier(conversation)] = Entry(
      stream: stream, socket: conversation.socket, heartbeat: .now + interval)
    return true
  }

  /// Forgets the stream of `conversation`, whose connection goes on or has gone.
  mutating func remove(_ conversation: Connection) {
    entries.removeValue(forKey: ObjectIdentifier(conversation))
  }

  var count: Int { entries.count }

  var all: [EventStream] { entries.values.map(\.stream) }

  /// The streams whose clients have gone: the library does not look at a connection set aside.
  func abandoned() -> [EventStream] {
    entries.values.filter { hasDeparted($0.socket) }.map(\.stream)
  }

  /// The streams that are to have a heartbeat now.
  mutating func silent() -> [EventStream] {
    let now = ContinuousClock.now
    var silent: [EventStream] = []
    for (key, entry) in entries where entry.heartbeat <= now {
      entries[key]?.heartbeat = now + interval
      silent.append(entry.stream)
    }
    return silent
  }
}
