import Foundation
package import Items
import PictureMessages

/// The pictures of a folder as items, read once.
package struct PhotoImport {
  /// In the order of the strip.
  package private(set) var items: [Item] = []
  /// The files and the folders that cannot be read, by id, with the reasons.
  package private(set) var unreadable: [(id: String, reason: String)] = []
  /// The first of them that may be a picture, or have pictures in it: a folder, a file without a status, or one that could not be read
  /// in time.
  package private(set) var unknown: (id: String, reason: String)?

  /// The settings that the strip has without others.
  package static var settings: SettingsPatch { Photo.settings }

  /// - Parameters:
  ///   - imageBase: the start of the addresses of pictures, before the path of the file. Nil for no addresses.
  ///   - program: the path of `carousel-pictures`.
  ///   - onCancel: keeps what ends the reading.
  /// - Throws: `.interrupted`, and `.unavailable` if the folder itself cannot be read.
  package init(
    of folder: PhotoFolder, imageBase: String?, program: String,
    onCancel: (@escaping @Sendable () -> Void) -> Void
  ) throws(CatalogueError) {
    let workers = try PictureWorkerPool(
      program: program, count: ProcessInfo.processInfo.activeProcessorCount)
    onCancel { workers.stop() }
    defer { workers.stop() }
    var photos: [(PhotoOrder, Item)] = []
    if let problem = folder.problem {
      throw .unavailable("the folder \(folder.path) cannot be read: \(problem)")
    }
    let contents = folder.contents { _ in !workers.isStopped }
    var files = contents.files.values.flatMap(\.self)
    unreadable = contents.unreadable.map { (String(decoding: $0, as: UTF8.self), $1) }
    unknown = unreadable.min { $0.id < $1.id }
    workers.runAll(.placeholder, in: folder) {
      files.popLast()
    } results: { results in
      for (file, result) in results {
        do throws(CatalogueError) {
          guard case .success(let texts) = result, let header = PictureHeader(texts: texts) else {
            let reason = result.reason ?? folder.problem(of: file)
            let slow = "it has changed, or its disk is slow"
            if reason == nil { unknown = unknown ?? (file.id, slow) }
            throw .invalid(reason ?? slow)
          }
          let photo = Photo(file, header)
          photos.append((photo.order, try photo.item(image: imageBase.map { $0 + file.address })))
        } catch {
          unreadable.append((file.id, error.description))
        }
      }
    }
    guard !workers.isStopped else { throw .interrupted }
    items = photos.sorted { $0.0 < $1.0 }.map(\.1)
    unreadable.sort { $0.id < $1.id }
  }
}
