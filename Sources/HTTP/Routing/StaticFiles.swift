import Synchronization

/// Serves the files of one folder, with media type, strong entity tag and `no-cache`.
///
/// Names that begin with a dot, symbolic links and paths outside the folder are 404. A path that ends
/// in `/` stands for `index.html` in that folder. The path of such a folder without the `/` is redirected.
///
/// Files up to 4 MiB are cached in memory. A larger one is sent from the disk, and its entity tag is made from its size,
/// inode and time of change. A file that was not requested for an hour leaves the cache when another one enters it:
/// after a deployment, files with a hash in their names have new names, and the old ones are no longer requested.
///
/// `js/bundle/` contains bundled scripts. A bundled script replaces the script of the same name in
/// `js/`. A request for a path in `js/bundle/` itself gets an immutable response, because those
/// file names contain a hash.
///
/// - Complexity: one dictionary lookup for a file that was checked recently.
package final class StaticFiles: Handler {
  private struct CachedFile {
    let file: Representation
    let state: FileStamp
    var checked: ContinuousClock.Instant
  }

  private enum FoundFile {
    case cacheable(Representation)
    case large(FileBody, HeaderTemplate)
  }

  private let folder: Folder
  private let recheckAfter: Duration
  private let forgetAfter: Duration
  private let fields: [Field]
  private let htmlFields: [Field]
  private let xmlFields: [Field]
  private let encoder: (any ContentEncoder)?
  private let compressing: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let cache = Mutex<[Bytes: CachedFile]>([:])
  /// In bytes. A larger file is not compressed.
  private let cacheableSize = 4 * 1024 * 1024

  /// - Parameters:
  ///   - recheckAfter: when the state of a cached file on disk is checked again.
  ///   - forgetAfter: when a file without requests may leave the cache.
  ///   - htmlFields: additional headers of HTML files.
  ///   - xmlFields: additional headers of SVG and XML files, which can contain scripts.
  ///   - compressing: runs the first compression of a file on another thread. Returns false if it cannot: the
  ///     request then gets 503.
  /// - Throws: if `path` is not a readable folder.
  package init(
    at path: String, recheckAfter: Duration = .milliseconds(500),
    forgetAfter: Duration = .seconds(3600), adding fields: [Field] = [],
    toHTML htmlFields: [Field] = [], toXML xmlFields: [Field] = [],
    encoder: (any ContentEncoder)? = nil,
    compressing: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { work in
      work()
      return true
    }
  ) throws(FolderUnreadable) {
    folder = try Folder(at: path)
    self.recheckAfter = recheckAfter
    self.forgetAfter = forgetAfter
    self.fields = fields
    self.htmlFields = fields + htmlFields
    self.xmlFields = fields + xmlFields
    self.encoder = encoder
    self.compressing = compressing
  }

  package func cachedResponse(_ request: Request) -> Response? {
    guard request.method.isRead, let file = recent(request.path),
      !file.compresses(for: request)
    else { return nil }
    return try? file.response(to: request)
  }

  /// Reads the disk, unless `cachedResponse` has the response.
  package func handle(_ request: Request) -> HandlerResult {
    do throws(Problem) {
      let file = try find(request.path)
      if file == nil, try find(Bytes(Array(request.path) + [UInt8(ascii: "/")])) == nil {
        throw .notFound("There is nothing at this path.")
      }
      let allow = "GET, HEAD, OPTIONS"
      if request.method == .options { return .response(.options(allow)) }
      guard request.method.isRead else { throw .methodNotAllowed(allow) }
      switch file {
      case .cacheable(let file):
        if file.compresses(for: request) { return compress(file, for: request) }
        return .response(try file.response(to: request))
      case .large(let file, let template):
        return .response(template.response(file, to: request))
      case nil: return .response(Self.redirect(request))
      }
    } catch {
      return .response(error.response)
    }
  }

  /// The redirect from a folder's path without a last `/` to the path with it. The address is relative, because a proxy
  /// can serve the server below a path of its own.
  private static func redirect(_ request: Request) -> Response {
    let name = request.path.split(separator: UInt8(ascii: "/")).last?.text ?? ""
    let query = request.rawQuery.isEmpty ? "" : "?\(request.rawQuery.text)"
    return Response(
      status: 308,
      fields: [
        Field("Location", "./\(name)/\(query)"), Field("Cache-Control", "no-cache"),
      ])
  }

  private func compress(_ file: Representation, for request: Request) -> HandlerResult {
    .deferred { [compressing] responder in
      let isStarted = compressing {
        do throws(Problem) {
          responder(try file.response(to: request))
        } catch {
          responder(error.response)
        }
      }
      if !isStarted { responder(Problem.tooManyFileRequests.response) }
    }
  }

  /// A file that was checked recently.
  private func recent(_ path: Bytes) -> Representation? {
    guard let cached = cache.withLock({ $0[path] }), .now - cached.checked < recheckAfter
    else { return nil }
    return cached.file
  }

  private func find(_ path: Bytes) throws(Problem) -> FoundFile? {
    if let file = recent(path) { return .cacheable(file) }
    let now = ContinuousClock.now
    let cached = cache.withLock { $0[path] }
    guard let segments = path.pathSegments?.withIndexPage else { return nil }
    let opened: File?
    do throws(Problem) {
      opened = try folder.file(at: bundled(segments))
    } catch {
      guard let cached else { throw error }
      return .cacheable(cached.file)
    }
    guard let file = opened else {
      if cached != nil { cache.withLock { _ = $0.removeValue(forKey: path) } }
      return nil
    }
    if var cached, cached.state == file.state {
      cached.checked = now
      store(cached, at: path)
      return .cacheable(cached.file)
    }
    let type = MediaType.of(fileNamed: segments.last ?? path)
    let isImmutable = segments.starts(with: Self.bundles)
    let caching = isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
    let added =
      MediaType.isHTML(type) ? htmlFields : MediaType.isXML(type) ? xmlFields : fields
    let template = HeaderTemplate(type, [Field("Cache-Control", caching)] + added)
    let state = file.state
    guard state.size <= cacheableSize else { return .large(file.body(), template) }
    let representation = Representation(
      try file.contents(), template, encoder: encoder, isReused: true)
    store(CachedFile(file: representation, state: state, checked: now), at: path)
    return .cacheable(representation)
  }

  private static let bundles = [Array("js".utf8)[...], Array("bundle".utf8)[...]]

  /// The path of the bundled script that replaces the one at `segments`, if there is one.
  private func bundled(_ segments: [Bytes]) throws(Problem) -> [Bytes] {
    guard segments.first == Self.bundles[0], !segments.starts(with: Self.bundles) else {
      return segments
    }
    let bundle = Self.bundles + segments.dropFirst()
    return try folder.file(at: bundle) == nil ? segments : bundle
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

extension HeaderTemplate {
  /// A response that is not compressed.
  fileprivate func response(_ file: FileBody, to request: Request) -> Response {
    let tag = EntityTag(file.state.text)
    return Response(fields: plain + [Field("ETag", tag.value)], body: .file(file))
      .conditional(on: request, tag)
  }
}

extension [Bytes] {
  /// The segments of a path, with `index.html` after a last `/`.
  fileprivate var withIndexPage: [Bytes] {
    guard let last, last.isEmpty else { return self }
    return dropLast() + [Bytes("index.html".utf8)]
  }
}

package struct FolderUnreadable: Error, CustomStringConvertible, Sendable {
  package let path: String
  package let reason: String
  package var description: String { "Cannot read the folder \(path): \(reason)." }
}
