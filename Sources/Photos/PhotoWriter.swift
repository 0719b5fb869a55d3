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
          case 1: taken = PhotoOrder.number(of: text.prefix(19))
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

  /// Gives an item its placeholder.
  func edit(adding placeholder: PictureHeader, to id: String) throws(CatalogueError) -> Edit {
    let (color, hash) = (placeholder[.color], placeholder[.thumbhash])
    var scanner = try JSONScanner(
      Array(#"{"fields":{"color":"\#(color)","thumbhash":"\#(hash)"}}"#.utf8))
    return .update(id: id, try ItemPatch(&scanner))
  }

  func apply(_ edits: [Edit]) throws(CatalogueError) {
    _ = try editor.edit(
      strip, EditBatch(edits), expecting: .anything, idempotencyKey: nil, undoLimit: nil,
      by: WriteDeadline())
  }
}
