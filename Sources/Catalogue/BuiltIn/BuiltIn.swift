import Windowing

/// The strips of `carousel serve` without a database.
package enum BuiltIn {
  package static func catalogue(version: String) throws(CatalogueError) -> MemoryCatalogue {
    try MemoryCatalogue([
      albums(version: version), billion(version: version), elements(version: version),
      landscapes(version: version), moons(version: version),
    ])
  }

  /// 53 bits of FNV-1a of a strip's content and the program's version: the same on every machine,
  /// and exact in every JSON reader.
  static func revision(version: String, rule: some Sequence<UInt8>) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    version.utf8.forEach(mix)
    mix(0)
    rule.forEach(mix)
    return Int64(hash >> 11)
  }

  /// Fifty well-known albums in the order of their release, in one group for each year.
  private static func albums(version: String) throws(CatalogueError) -> Edition {
    try edition(
      "albums", PackageResources.albums_json, version: version, PackageResources.albums_jsonl)
  }

  /// The periodic table in one row: 118 elements, one group for each period, and another kind of card
  /// for noble gases. An element is wide enough for its name.
  private static func elements(version: String) throws(CatalogueError) -> Edition {
    try edition(
      "elements", PackageResources.elements_json, version: version,
      PackageResources.elements_jsonl)
  }

  /// The larger moons, in one group for each planet, with spacers between the groups. They are a table.
  private static func moons(version: String) throws(CatalogueError) -> Edition {
    try edition(
      "moons", PackageResources.moons_json, version: version, PackageResources.moons_jsonl)
  }

  private static func edition(
    _ name: String, _ settings: [UInt8], version: String, _ lines: [UInt8]
  ) throws(CatalogueError) -> Edition {
    let settings = try SettingsChange(json: settings)
      .applied(to: StripSettings(title: name), of: name)
    let lines = lines.split(separator: UInt8(ascii: "\n"))
    var items: [Item] = []
    for line in lines { items.append(try Item(json: Array(line))) }
    return try Edition(
      name: name, settings: settings, revision: revision(version: version, rule: lines.joined()),
      items: items)
  }
}
