package import Catalogue
import Windowing

/// Looks through a catalogue for what is not as it was written.
///
/// PostgreSQL holds to the schema's rules; what it cannot know is looked at here: that the layout of
/// each strip says of each item what its row says, now and at each revision that is held, and that no
/// item is without a place in it.
package struct IntegrityCheck {
  /// No more faults are told.
  private static let limit = 100

  /// What is wrong, a sentence each; nothing where all is well.
  package private(set) var faults: [String] = []
  /// How many items there are.
  package private(set) var count = 0

  /// - Throws: `.unavailable` where the database is not to be had or holds no catalogue.
  /// - Complexity: reads everything once, strip by strip; nobody is kept from writing.
  package init(_ address: Address) throws(CatalogueError) {
    let catalogue = try PostgresCatalogue(address, connections: 1, follows: false)
    var names = try catalogue.names(after: nil, limit: 1000)
    while let last = names.last {
      for name in names { try examine(name, in: catalogue) }
      names = try catalogue.names(after: last, limit: 1000)
    }
  }

  private mutating func examine(
    _ name: String, in catalogue: PostgresCatalogue
  ) throws(CatalogueError) {
    let newest: Edition
    do throws(CatalogueError) {
      newest = try catalogue.edition(of: name, at: nil)
    } catch {
      return try add(error)
    }
    try examine(newest)
    count += newest.strip.count
    let (there, sumsHold, held) = try catalogue.database.sessions.read { session in
      let row = try StripRow.fetch(session, name: name)
      let sums = try StripTotals(ofItemsOf: row?.number ?? 0, session)
      let held = try session.run(
        """
        SELECT until FROM past_strip JOIN strip ON number = strip WHERE name = $1
        ORDER BY until DESC LIMIT 64
        """, [.text(name)]
      ).map { try $0.integer(0) }
      return (sums.count, sums == row?.totals ?? sums, held)
    }
    if !sumsHold { add("the strip \"\(name)\" keeps sums that are not those of its items") }
    if try catalogue.edition(of: name, at: nil).strip.count != there {
      add("the strip \"\(name)\" has \(there) items, its layout \(newest.strip.count)")
    }
    for revision in held {
      do throws(CatalogueError) {
        try examine(try catalogue.edition(of: name, at: revision))
      } catch {
        try add(error)
      }
    }
  }

  /// Holds the layout of a strip against the rows of its items.
  private mutating func examine(_ edition: Edition) throws(CatalogueError) {
    var start = 0
    while start < edition.strip.count {
      let end = min(start + 1000, edition.strip.count)
      do throws(CatalogueError) {
        let items = try edition.source.items(in: start..<end)
        for (index, item) in zip(start..<end, items)
        where !edition.strip.holds(item, at: index, edition) {
          add(
            "the item \"\(item.id)\" of the strip \"\(edition.name)\" at revision "
              + "\(edition.revision) is not what the layout says")
        }
      } catch {
        try add(error)
      }
      start = end
    }
  }

  /// Takes what was thrown as a fault; what keeps from looking any further is thrown again.
  private mutating func add(_ error: CatalogueError) throws(CatalogueError) {
    switch error {
    case .corrupt(let sentence), .invalid(let sentence): add(sentence)
    // It has gone meanwhile.
    case .revisionGone, .noSuchStrip: return
    default: throw error
    }
  }

  private mutating func add(_ sentence: String) {
    if faults.count < Self.limit { faults.append(sentence) }
  }
}

extension StripTotals {
  /// Adds up what the rows of items say that stand under a strip's number.
  fileprivate init(ofItemsOf strip: Int64, _ session: Session) throws {
    self.init()
    let sums = try session.run(
      """
      SELECT count(*), coalesce(sum(aspect), 0), coalesce(sum(width), 0),
        count(*) FILTER (WHERE aspect IS NULL AND width IS NULL), kind || ':' || count(*)
      FROM item WHERE strip = $1 GROUP BY kind
      """, [.integer(strip)]
    ).map { kind in
      try StripTotals(
        count: Int(kind.integer(0)), aspects: Int(kind.integer(1)), widths: Int(kind.integer(2)),
        bare: Int(kind.integer(3)), kinds: kind.text(4))
    }
    for kind in sums { self += kind }
  }
}

extension Strip {
  /// Whether an item stands at an index the way it says itself.
  fileprivate func holds(_ item: Item, at index: Int, _ edition: Edition) -> Bool {
    self[index].size == item.size(itemWidth: edition.settings.itemWidth)
      && kinds[Int(self[index].kind.number)] == item.kind
      && (groupRun(at: index)?.title).isSameGroup(as: item.group)
  }
}
