import ArgumentParser
import CRelease
import Foundation
import HTTP
import Items
import Logging
import Photos
import SQLCatalogue

struct PhotosCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos",
    abstract: "Serve a folder of pictures as a wall.",
    discussion: """
      The folder is scanned, served and followed. It is never changed. All that the program keeps is below --cache, and \
      can be deleted when the program does not run. It reads .jpg, .jpeg, .png, .webp, .gif, .avif, .heic, .heif, .tif \
      and .tiff with the package libvips42.
      """)

  @Argument(help: "The folder.")
  var folder: String

  @Option(
    help: "The folder for made pictures and the catalogue. (default: in the user's cache folder)")
  var cache: String?

  @Option(help: "The most bytes of made pictures: 500M, 4G.")
  var cacheSize = ByteCount(bytes: 4 << 30)

  @Flag(inversion: .prefixedNo, help: "Follow changes in the folder.")
  var watch = true

  @Flag(help: "Let readers download the files.")
  var originals = false

  @OptionGroup var options: ServeOptions

  func run() throws {
    // A scan of a folder needs large arrays for a short time. Their memory then returns to the system at once.
    carousel_return_large_memory()
    try options.serve("photos") { logger, onReplacement in
      let folder = PhotoFolder(at: folder)
      let given = cache ?? defaultCache(of: folder)
      let cache = URL(fileURLWithPath: given).standardizedFileURL.path
      let database = cache + "/photos.db"
      // The user's cache folder may be a hidden folder below this one, because hidden folders are not read.
      if let part = folder.part(of: cache), self.cache != nil || !part.contains("/.") {
        throw CatalogueError.invalid(
          "\(given) is in the folder, which never changes: choose another --cache")
      }
      if let problem = folder.problem, !FileManager.default.fileExists(atPath: database) {
        throw CatalogueError.unavailable("the folder \(folder.path) cannot be read: \(problem)")
      }
      let log: @Sendable (String) -> Void = { logger.warning("\($0.escapingControls())") }
      var photos = PhotoLibrary.Options()
      photos.cache = cache
      photos.program = try PictureProgram.path()
      photos.log = { options.logFormat.announce($0.escapingControls(), logger) }
      photos.cacheSize = cacheSize.bytes
      photos.watches = watch
      photos.servesOriginals = originals
      photos.processes = max(2, ProcessInfo.processInfo.activeProcessorCount)
      try FileManager.default.createDirectory(
        atPath: cache + "/pictures", withIntermediateDirectories: true)
      // It is held until this process ends.
      let lock = open(cache + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        throw CatalogueError.unavailable(
          errno == EWOULDBLOCK
            ? "another server uses \(cache): choose another --cache"
            : "\(cache)/lock: \(String(cString: strerror(errno)))")
      }
      let location = try DatabaseLocation(database)
      try location.importDatabase().importing { _ in }
      let stored = try options.stored(
        location.database(
          for: .server(pageCache: 8 << 20, log: log, onReplacement: onReplacement)), log: log)
      let wall = try PhotoLibrary(of: folder, in: stored.catalogue, stored.editor, photos)
      return ServedCatalogue(
        catalogue: stored.catalogue, editor: stored.editor,
        handler: { PictureRoute(wall, otherwise: $0) },
        addMetrics: { metrics in
          for (name, help, value) in wall.metrics {
            metrics.add("carousel_photos_" + name, help, value())
          }
        },
        start: { wall.start() }, stop: { wall.stop() })
    }
  }

  private func defaultCache(of folder: PhotoFolder) -> String {
    let variables = ProcessInfo.processInfo.environment
    let base = variables["XDG_CACHE_HOME"] ?? (variables["HOME"] ?? "/var/cache") + "/.cache"
    return "\(base)/carousel/\(folder.cacheName)"
  }
}

/// The program `carousel-pictures`.
enum PictureProgram {
  /// Its path: beside this program, or in libexec.
  ///
  /// - Throws: `.unavailable` if it is missing, or cannot read pictures.
  static func path() throws(CatalogueError) -> String {
    let folder = CommandLine.programFolder
    let paths = ["carousel-pictures", "../libexec/carousel/carousel-pictures"].map {
      folder.appending(path: $0).standardized.path
    }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      throw .unavailable(
        "the program carousel-pictures is missing: it is not at \(paths.joined(separator: " or "))")
    }
    if let problem = PictureProcess.problem(of: path) {
      throw .unavailable("pictures cannot be read: \(problem)")
    }
    return path
  }
}

/// A number of bytes as an option: `500M`, `4G`.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  init?(argument: String) {
    let shift = ["K": 10, "M": 20, "G": 30, "T": 40][argument.suffix(1)] ?? 0
    guard let number = Int(shift > 0 ? argument.dropLast() : argument[...]),
      1...(Int.max >> shift) ~= number
    else { return nil }
    bytes = number << shift
  }

  var defaultValueDescription: String { "4G" }
}
