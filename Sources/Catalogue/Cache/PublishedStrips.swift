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

  /// Publishes a revision during an interval, with its edition once that is loaded.
  ///
  /// - Returns: whether this revision is published; false if it is another one.
  mutating func publish(
    _ number: Int64, of name: String, _ edition: Edition? = nil, during interval: Int
  ) -> Bool {
    // A clock that was set back starts again.
    if interval < turned { forgetAll() }
    if interval < turned || interval - turned >= lifetime { turn(at: interval) }
    var strip = young[name] ?? old[name] ?? PublishedStrip()
    guard strip.publish(number, edition, during: interval, lifetime: lifetime) else {
      return false
    }
    if young.updateValue(strip, forKey: name) == nil {
      weight += 3000 + 10 * (edition?.strip.count ?? 0)
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

  /// - Returns: false if another revision was published during the interval.
  mutating func publish(
    _ number: Int64, _ edition: Edition?, during interval: Int, lifetime: Int
  ) -> Bool {
    if let last = revisions.indices.last {
      if revisions[last].number == number {
        revisions[last].edition = edition ?? revisions[last].edition
        revisions[last].interval = max(interval, revisions[last].interval)
        return true
      }
      // A thread that is late, from an interval before, has what was the newest then.
      guard revisions[last].interval <= interval else { return true }
      guard revisions[last].interval < interval else { return false }
    }
    revisions.removeAll { interval - $0.interval > lifetime }
    revisions.append(PublishedRevision(number: number, interval: interval, edition: edition))
    revisions.removeFirst(max(0, revisions.count - Self.limit))
    return true
  }
}

/// A revision of a strip that is or was published.
struct PublishedRevision {
  let number: Int64
  /// The last interval in which it was published.
  var interval: Int
  /// Nil until a request needs more than the number.
  var edition: Edition?
}
