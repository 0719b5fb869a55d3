import ArgumentParser
import Catalogue
import Foundation
import Items
import Photos
import SQLCatalogue

/// `carousel import FOLDER`.
extension ImportCommand {
  var isFolder: Bool {
    var status = stat()
    return format == nil && stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  func validateFolder() throws {
    let others: [(String, Any?)] = [
      ("--strip-from", stripFrom), ("--delimiter", delimiter),
      ("--encoding", encoding), ("--map", map.first), ("--sort", sort), ("--skipped", skipped),
      ("--aspect-range", aspectRange), ("--dry-run", dryRun ? true : nil),
    ]
    for case (let name, _?) in others {
      throw ValidationError("\(name) is for files only: \(file) is a folder")
    }
  }

  func importFolder(
    into location: DatabaseLocation, _ cancellation: CancellationSignal
  ) throws(CatalogueError) {
    let folder = PhotoFolder(at: file)
    let read = try PhotoImport(
      of: folder, imageBase: imageBase, program: try PictureProgram.path(),
      onCancel: cancellation.onCancel)
    for (id, reason) in read.unreadable {
      StandardError.write(line: "\(id): \(reason.escapingControls())")
    }
    if let (id, reason) = read.unknown, existing == .replace {
      throw .unavailable("\(id) cannot be read: \(reason). --replace could remove pictures")
    }
    guard !read.items.isEmpty || existing != .replace || allowEmpty else {
      throw .invalid(
        "\(file) has no pictures: if --replace is to empty the strip, add --allow-empty")
    }
    var settings = settings
    settings.title = settings.title ?? folder.name
    settings.layout = settings.layout ?? PhotoImport.settings.layout
    settings.gap = settings.gap ?? PhotoImport.settings.gap
    settings.filterable = settings.filterable ?? PhotoImport.settings.filterable
    settings.searchable = settings.searchable ?? PhotoImport.settings.searchable
    settings.fields = settings.fields ?? PhotoImport.settings.fields
    let importer = SQLStripImporter(try location.importDatabase())
    cancellation.onCancel { importer.interrupt() }
    let name = strip ?? ""
    let request = StripImport(name: name, mode: mode, settings: settings)
    let (_, last) = try importer.run(request) { add throws(CatalogueError) in
      for item in read.items { try add(item, name) }
    }
    if let last { print("\(name): revision \(last.revision), \(last.count.of("item"))") }
    if !read.unreadable.isEmpty { print("\(read.unreadable.count.of("file")) cannot be read") }
  }
}
