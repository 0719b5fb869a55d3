import Items
import PictureMessages
import Windowing

/// A picture whose header is known: an item of the strip.
struct Photo: Sendable {
  let file: PhotoFile
  let header: PictureHeader
  let taken: TakenDate

  init(_ file: PhotoFile, _ header: PictureHeader) {
    self.file = file
    self.header = header
    taken = TakenDate(header, modified: file.modified)
  }

  var place: PhotoPlace { PhotoPlace(taken: taken.clock, id: file.id) }

  /// - Parameter image: the address of the picture. Nil for none.
  /// - Throws: `.invalid` for a picture whose shape no item has.
  func item(image: String?) throws(CatalogueError) -> Item {
    let title = file.title
    let camera =
      header[.model].hasPrefix(header[.make])
      ? header[.model] : "\(header[.make]) \(header[.model])"
    let fields: [(String, String)] = [
      ("title", title), ("image", image ?? ""), ("alt", title), ("taken", taken.text),
      ("album", file.album), ("folder", file.folder), ("camera", camera.trimmed),
      ("lens", header[.lens].trimmed), ("pixels", "\(header.width) x \(header.height)"),
      ("bytes", String(file.size)), ("type", header[.type]), ("color", header[.color]),
      ("thumbhash", header[.thumbhash]),
    ]
    return try Item(
      id: file.id, aspect: Aspect(ratio: Double(header.width) / Double(header.height)),
      group: taken.month,
      fields: try FieldsWriter.fields(
        fields.filter { !$0.1.isEmpty }.map { name, text in
          (name, name == "bytes" ? .number(text) : .string(text))
        }))
  }

  /// The fields of the strip that views can filter by, and those that they search.
  static let filterable: [FieldName] = ["taken", "album", "folder", "camera", "lens", "type"]
  static let searchable: [FieldName] = ["title", "folder", "camera"]
}

/// The order of pictures: the newest first, then by id.
struct PhotoPlace: Hashable, Comparable, Sendable {
  let taken: String
  let id: String

  static func < (one: PhotoPlace, other: PhotoPlace) -> Bool {
    one.taken == other.taken
      ? one.id.utf8.lexicographicallyPrecedes(other.id.utf8) : one.taken > other.taken
  }
}

extension String {
  fileprivate var trimmed: String {
    String(reversed().drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace })
  }
}
