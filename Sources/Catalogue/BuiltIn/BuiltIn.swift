package import Items
import Views
import Windowing

/// The strips of `carousel serve` without a database.
package enum BuiltIn {
  package static func catalogue(version: String) throws(CatalogueError) -> MemoryCatalogue {
    try MemoryCatalogue([
      snapshot("albums", PackageResources.albums_json, PackageResources.albums_jsonl, version),
      billion(version: version),
      snapshot(
        "elements", PackageResources.elements_json, PackageResources.elements_jsonl, version),
      landscapes(version: version),
      snapshot("moons", PackageResources.moons_json, PackageResources.moons_jsonl, version),
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

  private static func snapshot(
    _ name: String, _ settings: [UInt8], _ lines: [UInt8], _ version: String
  ) throws(CatalogueError) -> Snapshot {
    let settings = try SettingsPatch(json: settings)
      .applied(to: StripSettings(title: name), of: name)
    let lines = lines.split(separator: UInt8(ascii: "\n"))
    var items: [Item] = []
    for line in lines { items.append(try Item(json: Array(line))) }
    return try Snapshot(
      name: name, settings: settings, revision: revision(version: version, rule: lines.joined()),
      items: items)
  }

  /// The index of the item whose id is a letter and its number, from 1.
  static func index(of id: String, after letter: String, count: Int) -> Int? {
    guard let number = Int(id.dropFirst()), 1...count ~= number,
      id.utf8.elementsEqual("\(letter)\(number)".utf8)
    else { return nil }
    return number - 1
  }
}
