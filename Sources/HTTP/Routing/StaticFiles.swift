private import Glibc
import Synchronization

/// Serves the files of one folder, with media type, strong entity tag and `no-cache`.
///
/// Names that begin with a dot, symbolic links and paths outside the folder are 404. A path that ends
/// in `/` stands for `index.html` in that folder. Files up to 4 MiB are cached in memory. A file that was not
/// requested for an hour leaves the cache when another one enters it, because a deployment can replace names that
/// contain a hash.
///
/// `js/bundle/` contains bundled scripts. A bundled script replaces the script of the same name in
/// `js/`. A request for a path in `js/bundle/` itself gets an immutable response, because those
/// file names contain a hash.
///
/// - Complexity: one dictionary lookup for a file that was checked recently.
package final class StaticFiles: Handler {
  private struct CachedFile {
    let representation: Representation
    let state: FileStamp
    var checked: ContinuousClock.Instant
  }

  private let folder: Folder
  private let recheckAfter: Duration
  private let forgetAfter: Duration
  private let fields: [Field]
  private let pageFields: [Field]
  private let drawingFields: [Field]
  private let encoder: (any ContentEncoder)?
  private let compressing: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let cache = Mutex<[Bytes: CachedFile]>([:])
  /// In bytes. A larger file is read for each request, and not compressed.
  private let cacheableSize = 4 * 1024 * 1024

  /// - Parameters:
  ///   - recheckAfter: when the state of a cached file on disk is checked again.
  ///   - forgetAfter: when a file without requests may leave the cache.
  ///   - pageFields: additional headers of HTML files.
  ///   - drawingFields: additional headers of SVG and XML files, which can contain scripts.
  ///   - compressing: runs the first compression of a file on another thread. False if it cannot.
  /// - Throws: if `path` is not a readable folder.
  package init(
    at path: String, recheckAfter: Duration = .milliseconds(500),
    forgetAfter: Duration = .seconds(3600), adding fields: [Field] = [],
    toPages pageFields: [Field] = [], toDrawings drawingFields: [Field] = [],
    encoder: (any ContentEncoder)? = nil,
    compressing: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { _ in false }
  ) throws(FolderUnreadable) {
    folder = try Folder(at: path)
    self.recheckAfter = recheckAfter
    self.forgetAfter = forgetAfter
    self.fields = fields
    self.pageFields = fields + pageFields
    self.drawingFields = fields + drawingFields
    self.encoder = encoder
    self.compressing = compressing
  }

  package func answer(_ request: Request) -> Answer {
    do throws(Problem) {
      guard let file = find(request.path) else {
        throw .notFound("There is nothing at this path.")
      }
      let allow = "GET, HEAD, OPTIONS"
      if request.method == .options { return .response(.options(allow)) }
      guard request.method.isRead else { throw .methodNotAllowed(allow) }
      guard file.compressesForReuse(answering: request) else {
        return .response(try file.answer(to: request))
      }
      return .deferred { [compressing] responder in
        let answer = { @Sendable in
          do throws(Problem) {
            responder(try file.answer(to: request))
          } catch {
            responder(error.response)
          }
        }
        if !compressing(answer) { answer() }
      }
    } catch {
      return .response(error.response)
    }
  }

  private func find(_ path: Bytes) -> Representation? {
    let now = ContinuousClock.now
    let cached = cache.withLock { $0[path] }
    if let cached, now - cached.checked < recheckAfter {
      return cached.representation
    }
    guard let segments = path.pathSegments?.withIndexPage,
      let file = folder.file(at: bundled(segments))
    else {
      if cached != nil { cache.withLock { _ = $0.removeValue(forKey: path) } }
      return nil
    }
    if var cached, cached.state == file.state {
      cached.checked = now
      store(cached, at: path)
      return cached.representation
    }
    let state = file.state
    guard let bytes = file.contents() else { return nil }
    let type = MediaType.of(fileNamed: segments.last ?? path)
    let isImmutable = segments.starts(with: Self.bundles)
    let caching = isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
    let added =
      MediaType.isPage(type) ? pageFields : MediaType.isDrawing(type) ? drawingFields : fields
    let template = HeaderTemplate(type, [Field("Cache-Control", caching)] + added)
    let isCacheable = bytes.count <= cacheableSize
    let representation = Representation(
      bytes, template, encoder: isCacheable ? encoder : nil, isReused: isCacheable)
    if isCacheable {
      store(CachedFile(representation: representation, state: state, checked: now), at: path)
    }
    return representation
  }

  private static let bundles = [Array("js".utf8)[...], Array("bundle".utf8)[...]]

  /// The path of the bundled script that replaces the one at `segments`, if there is one.
  private func bundled(_ segments: [Bytes]) -> [Bytes] {
    guard segments.first == Self.bundles[0], !segments.starts(with: Self.bundles) else {
      return segments
    }
    let bundle = Self.bundles + segments.dropFirst()
    return folder.file(at: bundle) == nil ? segments : bundle
  }

  private func store(_ file: CachedFile, at path: Bytes) {
    // Each file has one path without escapes. Only that path is stored, so the number of files limits
    // the memory.
    guard !path.contains(UInt8(ascii: "%")) else { return }
    // The key is a copy. The slice would keep the request's head in memory.
    cache.withLock { cache in
      if cache[path] == nil {
        cache = cache.filter { file.checked - $0.value.checked < forgetAfter }
      }
      cache[Bytes(Array(path))] = file
    }
  }
}

extension [Bytes] {
  /// The segments of a path, with `index.html` after a last `/`.
  fileprivate var withIndexPage: [Bytes] {
    guard let last, last.isEmpty else { return self }
    return dropLast() + [Bytes("index.html".utf8)]
  }
}

/// An open folder. It opens only files inside the folder, and follows no symbolic links.
struct Folder: ~Copyable {
  private let descriptor: Int32

  /// - Throws: the reason if the folder at `path` cannot be opened.
  init(at path: String) throws(FolderUnreadable) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FolderUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// The regular file at the path `segments`. Nil if there is none.
  func file(at segments: [Bytes]) -> File? {
    var parent: File?
    for (index, segment) in segments.enumerated() {
      // Rejects hidden names, and names that could leave the folder.
      guard let first = segment.first, first != UInt8(ascii: "."),
        !segment.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
      else { return nil }
      let isLast = index == segments.count - 1
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
      guard
        let file = File(
          openat(parent?.descriptor ?? descriptor, segment.text, flags),
          type: isLast ? S_IFREG : S_IFDIR)
      else { return nil }
      parent = consume file
    }
    return parent
  }
}

struct File: ~Copyable {
  fileprivate let descriptor: Int32
  let state: FileStamp

  /// Takes ownership of `descriptor`. Nil if it is negative, or the file has another type.
  fileprivate init?(_ descriptor: Int32, type: mode_t) {
    var status = stat()
    let isFound = descriptor >= 0 && fstat(descriptor, &status) == 0
    self.descriptor = descriptor
    state = FileStamp(status)
    guard isFound, status.st_mode & S_IFMT == type else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Nil if a read fails. It blocks on the disk.
  consuming func contents() -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(state.size, 1) + 1, 1 << 20))
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
  }
}

/// The size, inode and modification time of a file. They differ after a change.
package struct FileStamp: Equatable, Sendable {
  let size: Int
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no file at `path`.
  package init?(ofFileAt path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    size = Int(status.st_size)
    inode = UInt64(status.st_ino)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

package struct FolderUnreadable: Error, CustomStringConvertible, Sendable {
  package let path: String
  package let reason: String
  package var description: String { "Cannot read the folder \(path): \(reason)." }
}

enum MediaType {
  static func of(fileNamed name: Bytes) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
    return byExtension[name[(dot + 1)...].text.lowercased()] ?? unknown
  }

  /// Whether `type` is text, which compresses well. Images and fonts are compressed already.
  static func isText(_ type: String) -> Bool {
    isDrawing(type)
      || ["text/", "application/json", "application/manifest"].contains(where: type.hasPrefix)
  }

  static func isPage(_ type: String) -> Bool { type.hasPrefix("text/html") }

  /// Whether `type` is SVG, or XML, which can contain XHTML and SVG. Both can contain scripts.
  static func isDrawing(_ type: String) -> Bool {
    type.hasPrefix("image/svg") || type.hasPrefix("application/xml")
  }

  private static let unknown = "application/octet-stream"

  private static let byExtension: [String: String] = [
    "avif": "image/avif",
    "css": "text/css; charset=utf-8",
    "gif": "image/gif",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "mjs": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff2": "font/woff2",
    "xml": "application/xml",
  ]
}
