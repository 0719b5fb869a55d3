import Catalogue
import Items
import PictureMessages
import Views
import Windowing

/// Writes the pictures of a folder to a strip.
struct PhotoWriter: Sendable {
  let strip: String
  let catalogue: any StripCatalogue
  let editor: any StripEditor

  /// The start of the addresses of pictures.
  var image: String { "/pictures/\(strip)/" }

  func image(of file: PhotoFile) -> String { "\(image)\(file.key)/{w}" }

  func makeStrip(titled title: String) throws(CatalogueError) {
    var settings = Photo.settings
    settings.title = title
    _ = try editor.set(
      strip, settings, expecting: .anything, idempotencyKey: nil, by: WriteDeadline())
  }

  /// A picture that the strip has from an earlier start.
  struct StoredPhoto: Sendable {
    let id: String
    let taken: Int
    let hasPlaceholder: Bool
  }

  /// All pictures of the strip.
  ///
  /// - Complexity: one pass over the bytes of the items.
  func stored() throws(CatalogueError) -> [PhotoKey: StoredPhoto] {
    let snapshot = try catalogue.snapshot(of: strip, at: nil)
    let (count, start) = (snapshot.strip.count, image.utf8.count)
    let scanner = FieldScanner(["image", "taken", "color"].map { JSONText(string: $0).bytes })
    var stored: [PhotoKey: StoredPhoto] = [:]
    stored.reserveCapacity(count)
    for first in stride(from: 0, to: count, by: 1000) {
      try snapshot.source.read(first..<min(first + 1000, count)) { item in
        var (key, taken, hasPlaceholder): (PhotoKey?, Int, Bool) = (nil, 0, false)
        scanner.scan(item.fields) { field, text in
          switch field {
          case 0:
            key = PhotoKey(String(decoding: text.dropFirst(start).prefix(32), as: UTF8.self))
          case 1: taken = PhotoPlace.number(of: text.prefix(19))
          default: hasPlaceholder = true
          }
        }
        guard let key else { return }
        stored[key] = StoredPhoto(
          id: String(decoding: item.id, as: UTF8.self), taken: taken, hasPlaceholder: hasPlaceholder
        )
      }
    }
    return stored
  }

  /// Removes items, and inserts others before those that follow them.
  func edit(
    removing ids: [String], inserting runs: [(items: [Item], before: String?)]
  ) throws(CatalogueError) {
    var edits: [Edit] = ids.isEmpty ? [] : [.remove(ids: ids)]
    edits += runs.map { .insert($0.items, .before($0.before)) }
    try apply(edits)
  }

  /// Gives items their placeholders.
  func update(
    _ placeholders: [(id: String, header: PictureHeader)]
  ) throws(CatalogueError) {
    var edits: [Edit] = []
    for (id, header) in placeholders {
      let (color, hash) = (header[.color], header[.thumbhash])
      var scanner = try JSONScanner(
        Array(#"{"fields":{"color":"\#(color)","thumbhash":"\#(hash)"}}"#.utf8))
      edits.append(.update(id: id, try ItemPatch(&scanner)))
    }
    try apply(edits)
  }

  private func apply(_ edits: [Edit]) throws(CatalogueError) {
    guard !edits.isEmpty else { return }
    _ = try editor.edit(
      strip, EditBatch(edits), expecting: .anything, idempotencyKey: nil, undoLimit: nil,
      by: WriteDeadline())
  }
}
