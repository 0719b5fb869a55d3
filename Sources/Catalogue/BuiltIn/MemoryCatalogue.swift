package import Items
package import Views
import Windowing

/// A catalogue of constant snapshots in memory: the built-in strips, and strips for tests.
package struct MemoryCatalogue: StripCatalogue {
  private let snapshots: [Snapshot]
  private let indices: [String: Int]

  /// - Throws: `.stripExists` for a repeated name, `.invalid` for an invalid one.
  package init(_ snapshots: [Snapshot]) throws(CatalogueError) {
    var indices: [String: Int] = [:]
    for (index, snapshot) in snapshots.enumerated() {
      try StripName.check(snapshot.name)
      guard indices.updateValue(index, forKey: snapshot.name) == nil else {
        throw .stripExists(snapshot.name)
      }
    }
    self.snapshots = snapshots
    self.indices = indices
  }

  package func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    var start = 0
    if let after {
      guard let index = indices[after] else { throw .noSuchStrip(after) }
      start = index + 1
    }
    return snapshots[start...].prefix(limit).map(StripSummary.init)
  }

  package func newestRevisions(of names: [String]) -> [String: Int64] {
    names.reduce(into: [:]) { $0[$1] = indices[$1].map { snapshots[$0].revision } }
  }

  package func cachedSnapshot(
    of name: String?, at revision: Int64?
  ) throws(CatalogueError) -> Snapshot? {
    try snapshot(of: name, at: revision)
  }

  package func snapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot {
    let snapshot: Snapshot
    if let name {
      guard let index = indices[name] else { throw .noSuchStrip(name) }
      snapshot = snapshots[index]
    } else {
      guard let first = snapshots.first else { throw .noStrips }
      snapshot = first
    }
    guard revision == nil || revision == snapshot.revision else {
      throw .revisionUnknown(revision ?? 0)
    }
    return snapshot
  }
}

extension Snapshot {
  /// - Throws: `.invalid` for a repeated id or a 65th kind.
  package convenience init(
    name: String, settings: StripSettings? = nil, revision: Int64, items: [Item]
  ) throws(CatalogueError) {
    let settings = settings ?? StripSettings(title: name)
    try settings.check()
    var kinds = KindTable()
    let stripItems = try items.map { item throws(CatalogueError) in
      StripItem(
        size: item.size(itemWidth: settings.itemWidth),
        kind: Kind(number: try kinds.number(of: item.kind)))
    }
    var strip = Strip(kinds: kinds.names, items: stripItems)
    strip.setGroups(items.map { ($0.group, 1) })
    self.init(
      name: name, settings: settings, revision: revision, strip: strip,
      source: try MemoryItemSource(items))
  }
}

private struct MemoryItemSource: NonblockingItemSource {
  private let items: [Item]
  private let indices: [[UInt8]: Int]

  var count: Int { items.count }

  init(_ items: [Item]) throws(CatalogueError) {
    var indices: [[UInt8]: Int] = [:]
    for (index, item) in items.enumerated() {
      guard indices.updateValue(index, forKey: Array(item.id.utf8)) == nil else {
        throw .invalid("id: \(item.id.quoted) is repeated")
      }
    }
    self.items = items
    self.indices = indices
  }

  func read(at sortKeys: [Int64], _ body: (ItemBytes) -> Void) {
    for item in items(at: sortKeys) {
      ItemContent(id: item.id, fields: item.fields).withBytes(body)
    }
  }

  func items(at sortKeys: [Int64]) -> [Item] { sortKeys.map { items[Int($0)] } }

  func index(of id: String) -> Int? { indices[Array(id.utf8)] }
}
