import Catalogue
import Items
import PictureMessages
import Views
import Windowing

/// Writes the pictures of a folder to a strip.
struct PhotoWriter: Sendable {
  private let strip: String
  private let catalogue: any StripCatalogue
  private let editor: any StripEditor

  init(_ strip: String, in catalogue: any StripCatalogue, _ editor: any StripEditor) {
    self.strip = strip
    self.catalogue = catalogue
    self.editor = editor
  }

  /// The start of the addresses of pictures.
  var image: String { "/pictures/\(strip)/" }

  func image(of file: PhotoFile) -> String { "\(image)\(file.key)/{w}" }

  func makeStrip(titled title: String) throws(CatalogueError) {
    var change = SettingsChange()
    change.title = title
    change.layout = .rows
    change.gap = .px(4)
    change.filterable = Photo.filterable
    change.searchable = Photo.searchable
    change.fields = Photo.fieldSettings
    _ = try editor.set(
      strip, change, expecting: .anything, idempotencyKey: nil, by: WriteDeadline())
  }

  /// A picture that the strip has from an earlier start.
  struct StoredPhoto: Sendable {
    let id: String
    let key: PhotoKey
    let taken: Int
    let hasPlaceholder: Bool
  }

  /// All pictures of the strip.
  func stored() throws(CatalogueError) -> [StoredPhoto] {
    let snapshot = try catalogue.snapshot(of: strip, at: nil)
    var stored: [StoredPhoto] = []
    for start in stride(from: 0, to: snapshot.strip.count, by: 1000) {
      for item in try snapshot.source.items(in: start..<min(start + 1000, snapshot.strip.count)) {
        var (key, taken, hasPlaceholder): (PhotoKey?, Int, Bool) = (nil, 0, false)
        for (name, value) in item.fields.pairs {
          guard case .string(let text) = value else { continue }
          switch name {
          case "image": key = PhotoKey(text.dropFirst(image.count).prefix(32))
          case "taken": taken = PhotoPlace.number(of: text.prefix(19))
          case "color": hasPlaceholder = true
          default: break
          }
        }
        guard let key else { continue }
        stored.append(
          StoredPhoto(id: item.id, key: key, taken: taken, hasPlaceholder: hasPlaceholder))
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
    _ placeholders: [(id: String, placeholder: PicturePlaceholder)]
  ) throws(CatalogueError) {
    var edits: [Edit] = []
    for (id, placeholder) in placeholders {
      let (color, hash) = (placeholder.color, placeholder.thumbhash)
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
