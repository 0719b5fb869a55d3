import Foundation
package import Items
import PictureMessages

/// The pictures of a folder as items, read once.
package struct PhotoImport {
  /// In the order of the strip.
  package private(set) var items: [Item] = []
  /// The files that cannot be read, by id, with the reasons.
  package private(set) var unreadable: [(id: String, reason: String)] = []

  /// The settings that the strip has without others.
  package static var settings: SettingsChange { Photo.settings }

  /// - Parameters:
  ///   - imageBase: the start of the addresses of pictures, before the path of the file. Nil for no addresses.
  ///   - program: the path of `carousel-pictures`.
  package init(of folder: PhotoFolder, imageBase: String?, program: String) {
    let workers = PictureWorkers(
      program: program, count: ProcessInfo.processInfo.activeProcessorCount)
    defer { workers.stop() }
    var (files, photos) = ([PhotoFile](), [(PhotoPlace, Item)]())
    folder.walk {
      let listing = folder.list($0)
      if case .listed(let found, _, _) = listing { files += found }
      return listing
    }
    workers.ask(.placeholder, in: folder) {
      files.popLast()
    } answers: { answers in
      for (file, result) in answers {
        do throws(CatalogueError) {
          guard case .success(let texts) = result, let header = PictureHeader(texts: texts) else {
            throw .invalid(
              result.reason ?? folder.problem(of: file) ?? "it has changed, or its disk is slow")
          }
          let photo = Photo(file, header)
          photos.append((photo.place, try photo.item(image: imageBase.map { $0 + file.address })))
        } catch {
          unreadable.append((file.id, error.description))
        }
      }
    }
    items = photos.sorted { $0.0 < $1.0 }.map(\.1)
    unreadable.sort { $0.id < $1.id }
  }
}
