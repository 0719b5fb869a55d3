/// The strips that are shown when no database is: `albums`, `billion`, `elements`.
package enum BuiltIn {
  /// The three strips in memory; `version` is the program's, which their revisions follow from.
  package static func catalogue(version: String) throws(CatalogueError) -> MemoryCatalogue {
    try MemoryCatalogue([
      albums(version: version), billion(version: version), elements(version: version),
    ])
  }

  /// A revision that follows from a strip's rule and the program's version: 53 bits of FNV-1a, so
  /// that it is the same on every machine and every start, and an exact number in JSON anywhere.
  static func revision(version: String, rule: some Sequence<UInt8>) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    version.utf8.forEach(mix)
    mix(0)
    rule.forEach(mix)
    return Int64(hash >> 11)
  }

  /// A strip of these items, whose revision follows from what they are.
  static func edition(
    name: String, settings: StripSettings, version: String, items: [Item]
  ) throws(CatalogueError) -> Edition {
    try Edition(
      name: name, settings: settings,
      revision: revision(version: version, rule: items.flatMap(\.json)), items: items)
  }
}
