import Windowing

/// The strips that were asked for lately, each with the revision that is published of it and those
/// that were, in bounded memory.
///
/// As for `StripCache`, there are two generations: what is asked for is young; the young become the
/// old when they take half of the memory, or after a minute, and the old are dropped.
struct PublishedStrips {
  private var young: [String: PublishedStrip] = [:]
  private var old: [String: PublishedStrip] = [:]
  /// Bytes of the young, about.
  private var weight = 0
  /// The interval since which the young are.
  private var turned = 0
  private let memory: Int
  private let lifetime: Int

  /// - Parameters:
  ///   - memory: bytes of what is held, about.
  ///   - lifetime: how many intervals a revision is held after it was published last.
  init(memory: Int, lifetime: Int) {
    self.memory = memory
    self.lifetime = lifetime
  }

  /// What is published of a strip during an interval, if that is settled.
  func find(_ name: String, during interval: Int) -> PublishedRevision? {
    (young[name] ?? old[name])?.revisions.last { $0.interval == interval }
  }

  /// What is held of a strip at a revision.
  func find(_ name: String, at revision: Int64) -> PublishedRevision? {
    (young[name] ?? old[name])?.revisions.last { $0.number == revision }
  }

  /// Publishes an edition during an interval.
  ///
  /// - Returns: whether it is, or was already; not where another revision was published.
  mutating func publish(_ edition: Edition, _ mode: ReadMode, during interval: Int) -> Bool {
    // A clock that was set back begins anew.
    if interval < turned { forgetAll() }
    if interval < turned || interval - turned >= lifetime { turn(at: interval) }
    var strip = young[edition.name] ?? old[edition.name] ?? PublishedStrip()
    guard strip.publish(edition, mode, during: interval, lifetime: lifetime) else {
      return false
    }
    if young.updateValue(strip, forKey: edition.name) == nil {
      weight += 3000 + 10 * edition.strip.count
    }
    if weight > memory / 2 { turn(at: interval) }
    return true
  }

  mutating func forget(_ name: String) {
    young[name] = nil
    old[name] = nil
  }

  mutating func forgetAll() {
    for _ in 0..<2 { turn(at: turned) }
  }

  private mutating func turn(at interval: Int) {
    old = young
    young = [:]
    weight = 0
    turned = interval
  }
}

/// What was published of one strip, the newest last.
struct PublishedStrip {
  private(set) var revisions: [PublishedRevision] = []
  /// As many as the store holds at least.
  private static let limit = 64

  /// - Returns: false where another revision has been published during the interval.
  mutating func publish(
    _ edition: Edition, _ mode: ReadMode, during interval: Int, lifetime: Int
  ) -> Bool {
    if let last = revisions.indices.last {
      if revisions[last].number == edition.revision {
        revisions[last].editions[mode] = edition
        revisions[last].interval = max(interval, revisions[last].interval)
        return true
      }
      // Whoever comes late, from an interval before, has what was the newest then.
      guard revisions[last].interval <= interval else { return true }
      guard revisions[last].interval < interval else { return false }
    }
    revisions.removeAll { interval - $0.interval > lifetime }
    revisions.append(
      PublishedRevision(
        number: edition.revision, interval: interval, editions: [mode: edition]))
    revisions.removeFirst(max(0, revisions.count - Self.limit))
    return true
  }
}

/// A revision of a strip that is or was the newest for those who read.
struct PublishedRevision {
  let number: Int64
  /// The last interval in which it was asked for as the newest.
  var interval: Int
  /// The edition, by the mode of its source.
  var editions: [ReadMode: Edition]
}
