package import Catalogue
import Foundation
package import Items
import PictureMessages
import Synchronization

/// The strip of a folder of pictures: scans the folder, edits the strip, and follows changes.
///
/// A scan is a stream of edits, so that a wall grows while it is read, and what is in view stays where it is.
package final class PhotoLibrary: Sendable {
  package struct Options: Sendable {
    /// The name of the strip.
    package var strip = "photos"
    /// The folder for made pictures and for the list of files that cannot be read.
    package var cache = ""
    /// The most bytes of made pictures.
    package var cacheSize = 4 << 30
    package var watches = true
    package var servesOriginals = false
    /// The path of `carousel-pictures`, and how many processes of it run.
    package var program = ""
    package var processes = 2
    package var log: @Sendable (String) -> Void = { _ in }

    package init() {}
  }

  struct State: Sendable {
    /// The files whose headers are still to be read.
    var pending = 0
    /// The files that were opened for their headers.
    var opened = 0
    /// Whether the folder is not where it was.
    var isUnavailable = false
    /// The folder of the last picture that a reader asked for.
    var viewed: [UInt8]?
  }

  let options: Options
  let folder: PhotoFolder
  let pictures: PictureCache
  let workers: PictureWorkerPool
  let unreadable: UnreadableFiles
  let writer: PhotoWriter
  let index = Mutex(PhotoIndex())
  let state = Mutex(State())
  let placeholders = Mutex(Placeholders())
  /// Left at the end of the first scan. Before, items of an earlier start have no files yet.
  let firstScan = DispatchGroup()

  package init(
    of folder: PhotoFolder, in catalogue: any StripCatalogue, _ editor: any StripEditor,
    _ options: Options
  ) throws(CatalogueError) {
    self.folder = folder
    self.options = options
    pictures = PictureCache(
      at: options.cache + "/pictures", limit: options.cacheSize, log: options.log)
    unreadable = UnreadableFiles(at: options.cache + "/unreadable")
    workers = try PictureWorkerPool(program: options.program, count: options.processes)
    writer = PhotoWriter(strip: options.strip, catalogue: catalogue, editor: editor)
    try writer.makeStrip(titled: folder.name)
    firstScan.enter()
  }

  var isInFirstScan: Bool { firstScan.wait(timeout: .now()) == .timedOut }

  /// Scans and follows the folder on a thread of its own.
  package func start() {
    do throws(CatalogueError) {
      try startThread { [self] in
        var scanner = PhotoScanner(self)
        scanner.run()
      }
    } catch {
      options.log("The folder is not scanned: \(error)")
    }
  }

  package func stop() {
    workers.stop()
    unreadable.save()
  }

  /// Lists a file that cannot be read. Its item is removed soon.
  func reject(_ file: PhotoFile, _ reason: String) {
    if unreadable.add(file, reason) { options.log("\(file.id): \(reason)") }
  }

  /// Figures for operators.
  package var metrics: [(name: String, help: String, value: @Sendable () -> Int)] {
    [
      ("items", "Pictures in the strip.", { self.index.withLock(\.count) }),
      ("unreadable_files", "Files that cannot be read.", { self.unreadable.count }),
      ("pending_files", "Files to be read.", { self.state.withLock(\.pending) }),
      ("opened_files_total", "Files opened for their headers.", { self.state.withLock(\.opened) }),
      (
        "folder_unavailable", "Whether the folder is unavailable.",
        { self.state.withLock(\.isUnavailable) ? 1 : 0 }
      ),
      ("jobs_total", "Jobs of workers.", { self.workers.counts.jobs }),
      ("ended_workers_total", "Workers that have ended.", { self.workers.counts.crashes }),
      ("waiting_requests", "Requests that wait for a worker.", { self.workers.waitingRequests }),
      ("cache_bytes", "Bytes of made pictures.", { self.pictures.bytes }),
      ("cache_limit_bytes", "The most bytes of made pictures.", { self.options.cacheSize }),
    ]
  }
}
