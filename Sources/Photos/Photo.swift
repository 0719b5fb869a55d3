import Foundation
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

  var order: PhotoOrder { PhotoOrder(file, taken: PhotoOrder.number(of: taken.clock.utf8)) }

  /// - Parameter image: the address of the picture. Nil for none.
  /// - Throws: `.invalid` for a picture whose shape no item has.
  func item(image: String?) throws(CatalogueError) -> Item {
    let title = file.title
    let (make, model) = (header[.make], header[.model])
    let camera = model.hasPrefix(make) ? model : "\(make) \(model)"
    let fields: [(String, String)] = [
      ("title", title), ("image", image ?? ""), ("alt", title), ("taken", taken.text),
      ("album", file.album), ("folder", file.folder),
      ("camera", camera.trimmingCharacters(in: .whitespaces)),
      ("lens", header[.lens].trimmingCharacters(in: .whitespaces)),
      ("pixels", "\(header.width) x \(header.height)"),
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
}

/// The order of pictures: the newest first, then by id.
struct PhotoOrder: Hashable, Comparable, Sendable {
  /// The digits of the date, as a number: 20240501120000.
  let taken: Int
  /// The bytes of the id. Most are those of the path, which share their memory.
  private let bytes: [UInt8]

  init(_ file: PhotoFile, taken: Int) {
    let id = file.id
    self.taken = taken
    bytes = id.utf8.elementsEqual(file.path) ? file.path : Array(id.utf8)
  }

  var id: String { String(decoding: bytes, as: UTF8.self) }

  static func number(of clock: some Sequence<UInt8>) -> Int {
    clock.reduce(0) { 48...57 ~= $1 ? $0 &* 10 &+ Int($1 - 48) : $0 }
  }

  static func < (one: PhotoOrder, other: PhotoOrder) -> Bool {
    one.taken == other.taken
      ? one.bytes.lexicographicallyPrecedes(other.bytes) : one.taken > other.taken
  }
}

extension Photo {
  /// What a strip of pictures has beside its title: how pages show it, and how readers see its fields. Folders are
  /// often named by years: they are words, and no numbers to choose a range of.
  static let settings: SettingsPatch = {
    do {
      return try SettingsPatch(json: PackageResources.settings_json)
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}
