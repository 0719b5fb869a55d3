import Windowing

/// A bounded cache of recently read strips, each with its published revisions of the last minute.
struct PublishedStrips {
  private var strips: BoundedCache<String, PublishedStrip>
  /// The newest interval in which something was published.
  private var latest = 0
  private let lifetime: Int

  /// - Parameters:
  ///   - memory: approximate bytes.
  ///   - lifetime: the number of intervals to retain a revision after its last publication.
  init(memory: Int, lifetime: Int) {
    strips = BoundedCache(limit: memory)
    self.lifetime = lifetime
  }

  /// The published revision of a strip in an interval; nil if no revision is published yet.
  mutating func find(_ name: String, during interval: Int) -> PublishedRevision? {
    strips.find(name)?.revisions.last { $0.interval == interval }
  }

  /// A revision of a strip that is or was published.
  mutating func find(_ name: String, at revision: Int64) -> PublishedRevision? {
    strips.find(name)?.revisions.last { $0.number == revision }
  }

  /// Publishes a revision in an interval, with its edition if the edition is loaded.
  ///
  /// - Returns: false if another revision is published in this interval.
  mutating func publish(
    _ number: Int64, of name: String, _ edition: Edition? = nil, during interval: Int
  ) -> Bool {
    // The clock was set back.
    if interval < latest - lifetime { removeAll() }
    if interval > latest {
      strips.removeIdle(before: .now - .seconds(60))
      latest = interval
    }
    var strip = strips.find(name) ?? PublishedStrip()
    guard strip.publish(number, edition, during: interval, lifetime: lifetime) else {
      return false
    }
    strips.insert(strip, for: name, cost: strip.cost)
    return true
  }

  mutating func remove(_ name: String) { strips.remove(name) }

  mutating func removeAll() {
    strips.removeAll()
    latest = 0
  }
}

/// The published revisions of one strip, the newest last.
package struct PublishedStrip {
  package private(set) var revisions: [PublishedRevision] = []
  /// The store retains at least this number of revisions.
  private static let limit = Int(Retention.revisions)

  /// Approximate bytes. Editions share all items that were not edited, unless the strip was replaced.
  package private(set) var cost = 3000

  package init() {}

  /// - Returns: false if another revision was published during the interval.
  package mutating func publish(
    _ number: Int64, _ edition: Edition?, during interval: Int, lifetime: Int
  ) -> Bool {
    if let last = revisions.indices.last {
      if revisions[last].number == number {
        revisions[last].edition = edition ?? revisions[last].edition
        revisions[last].interval = max(interval, revisions[last].interval)
        updateCost()
        return true
      }
      // A late thread publishes the newest revision of an earlier interval.
      guard revisions[last].interval <= interval else { return true }
      guard revisions[last].interval < interval else { return false }
    }
    revisions.removeAll { interval - $0.interval > lifetime }
    revisions.append(PublishedRevision(number: number, interval: interval, edition: edition))
    revisions.removeFirst(max(0, revisions.count - Self.limit))
    updateCost()
    return true
  }

  private mutating func updateCost() {
    var previous: Edition?
    cost = 3000
    for case let edition? in revisions.map(\.edition) {
      let sharesItems = previous.map { $0.columns === edition.columns } ?? false
      cost += 3000 + (sharesItems ? 0 : 10 * edition.strip.count)
      previous = edition
    }
  }
}

/// A revision of a strip that is or was published.
package struct PublishedRevision {
  let number: Int64
  /// The last interval in which the revision was published.
  var interval: Int
  /// Nil until a request needs more than the number.
  package var edition: Edition?
}
