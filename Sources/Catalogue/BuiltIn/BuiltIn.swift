/// The strips of `carousel serve` without a database: `albums`, `billion`, `elements`.
package enum BuiltIn {
  /// - Parameter version: the program's version, which the revisions depend on.
  package static func catalogue(version: String) throws(CatalogueError) -> MemoryCatalogue {
    try MemoryCatalogue([
      albums(version: version), billion(version: version), elements(version: version),
    ])
  }

  /// A revision computed from a strip's content and the program's version: 53 bits of FNV-1a.
  ///
  /// It is the same on every machine, and 53 bits are exact in every JSON reader.
  static func revision(version: String, rule: some Sequence<UInt8>) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    version.utf8.forEach(mix)
    mix(0)
    rule.forEach(mix)
    return Int64(hash >> 11)
  }

  /// A strip of these items, with a revision computed from their JSON.
  static func edition(
    name: String, settings: StripSettings, version: String, items: [Item]
  ) throws(CatalogueError) -> Edition {
    try Edition(
      name: name, settings: settings,
      revision: revision(version: version, rule: items.flatMap(\.json)), items: items)
  }
}
