import Windowing

/// A cache of the strips that were read lately: their published revision and earlier ones.
///
/// As in `StripCache`, there are two generations. A strip that is read becomes young. When the young
/// take half of the memory, or after `Retention.microseconds`, they become old, and the old are evicted.
struct PublishedStrips {
  private var young: [String: PublishedStrip] = [:]
  private var old: [String: PublishedStrip] = [:]
  /// The estimated bytes of the young.
  private var weight = 0
  /// The interval in which the young generation began.
  private var turned = 0
  private let memory: Int
  private let lifetime: Int

  /// - Parameters:
  ///   - memory: the size of the cache in bytes, as an estimate.
  ///   - lifetime: the number of intervals that a revision is cached after it was published last.
  init(memory: Int, lifetime: Int) {
    self.memory = memory
    self.lifetime = lifetime
  }

  /// The published revision of a strip in an interval; nil if none has been chosen yet.
  func find(_ name: String, during interval: Int) -> PublishedRevision? {
    (young[name] ?? old[name])?.revisions.last { $0.interval == interval }
  }

  /// A cached revision of a strip.
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

/// The published revisions of one strip, the newest last.
struct PublishedStrip {
  private(set) var revisions: [PublishedRevision] = []
  private static let limit = Int(Retention.revisions)

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
