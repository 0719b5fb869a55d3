package import Catalogue
import Foundation
package import Items
import PictureMessages
import Synchronization

/// The strip of a folder of pictures: scans the folder, edits the strip, and follows changes.
///
/// A scan is a stream of edits, so that a wall grows while it is read, and what is in view stays where it is.
package final class Photos: Sendable {
  package struct Options: Sendable {
    /// The name of the strip.
    package var strip = "photos"
    /// The folder for made pictures and for the list of files that cannot be read.
    package var cache = ""
    /// The most bytes of made pictures.
    package var cacheSize = 4 << 30
    package var follows = true
    package var servesOriginals = false
    /// The path of `carousel-pictures`, and how many processes of it run.
    package var program = ""
    package var processes = 2
    package var log: @Sendable (String) -> Void = { _ in }

    package init() {}
  }

  /// Counts for operators.
  package struct Status: Sendable {
    package internal(set) var items = 0
    package internal(set) var unreadable = 0
    /// The files whose headers are still to be read.
    package internal(set) var pending = 0
    /// The files that were opened for their headers.
    package internal(set) var opened = 0
    /// Whether the folder is not where it was.
    package internal(set) var isAway = false
    /// The folder of the last picture that a reader asked for.
    var viewed: [UInt8]?
  }

  let options: Options
  let folder: PhotoFolder
  let pictures: PictureCache
  let workers: PictureWorkers
  let unreadable: UnreadableFiles
  let writer: PhotoWriter
  let index = Mutex(PhotoIndex())
  let state = Mutex(Status())
  let placeholders = Mutex(Placeholders())
  /// What waits for the end of the first scan. Nil after it.
  private let waiting = Mutex<[@Sendable () -> Void]?>([])
  private let isStoppedNow = Atomic(false)

  package init(
    of folder: PhotoFolder, in catalogue: any StripCatalogue, _ editor: any StripEditor,
    _ options: Options
  ) throws(CatalogueError) {
    self.folder = folder
    self.options = options
    pictures = PictureCache(at: options.cache + "/pictures", limit: options.cacheSize)
    unreadable = UnreadableFiles(at: options.cache + "/unreadable")
    workers = PictureWorkers(program: options.program, count: options.processes)
    writer = PhotoWriter(options.strip, in: catalogue, editor)
    try writer.makeStrip(titled: folder.name)
  }

  package var status: Status {
    var status = state.withLock { $0 }
    status.items = index.withLock(\.count)
    status.unreadable = unreadable.count
    return status
  }

  /// Calls `body` with the picture of a key, or nil if the strip has none. Before the end of the first scan, `body` waits.
  func find(_ key: PhotoKey, _ body: @escaping @Sendable (PhotoFile?) -> Void) {
    let find = { @Sendable [self] in body(index.withLock { $0[key]?.file }) }
    let isWaiting = waiting.withLock { waiting in
      waiting?.append(find)
      return waiting != nil
    }
    if !isWaiting { find() }
  }

  func endFirstScan() {
    let finds = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for find in finds { find() }
  }

  /// Scans and follows the folder on a thread of its own.
  package func start() {
    Thread.detachNewThread { [self] in
      var scanner = PhotoScanner(self)
      scanner.run()
    }
  }

  var isStopped: Bool { isStoppedNow.load(ordering: .relaxed) }

  package func stop() {
    isStoppedNow.store(true, ordering: .relaxed)
    workers.stop()
    unreadable.save()
  }

  /// Lists a file that cannot be read. Its item is removed soon.
  func refuse(_ file: PhotoFile, _ reason: String) {
    if unreadable.add(file, reason) { options.log("\(file.id): \(reason)") }
    placeholders.withLock { $0.refused.append(file) }
  }

  /// Figures for operators.
  package var metrics: [(name: String, help: String, value: @Sendable () -> Int)] {
    [
      ("items", "Pictures in the strip.", { self.status.items }),
      ("unreadable_files", "Files that cannot be read.", { self.unreadable.count }),
      ("pending_files", "Files to be read.", { self.status.pending }),
      ("opened_files_total", "Files opened for their headers.", { self.status.opened }),
      ("folder_away", "Whether the folder is away.", { self.status.isAway ? 1 : 0 }),
      ("questions_total", "Questions to workers.", { self.workers.counts.asked }),
      ("ended_workers_total", "Workers that pictures ended.", { self.workers.counts.ended }),
      ("waiting_requests", "Requests that wait for a worker.", { self.workers.waitingRequests }),
      ("cache_bytes", "Bytes of made pictures.", { self.pictures.bytes }),
      ("cache_limit_bytes", "The most bytes of made pictures.", { self.options.cacheSize }),
    ]
  }
}
