import Catalogue
import Dispatch
import Glibc
package import HTTP
import Items
import PictureMessages
import Synchronization

/// Answers `/pictures/STRIP/KEY/WIDTH`: the picture of that key, at most that wide. Each one is made once, however many ask,
/// and then sent from the cache. Other paths have other handlers.
package final class PictureRoute: Handler {
  private let photos: PhotoLibrary
  private let others: any Handler
  /// What waits for a picture that is being made, by its name in the cache.
  private let waiting = Mutex<[String: [Responder]]>([:])

  package init(_ photos: PhotoLibrary, otherwise others: any Handler) {
    self.photos = photos
    self.others = others
  }

  package func cachedResponse(_ request: Request) -> Response? { others.cachedResponse(request) }

  package func handle(_ request: Request) -> HandlerResult {
    guard let segments = request.path.pathSegments, segments.first?.text == "pictures" else {
      return others.handle(request)
    }
    guard request.method.isRead else {
      return .response(Problem.methodNotAllowed("GET, HEAD").response)
    }
    guard segments.count == 4, segments[1].text == photos.options.strip,
      let key = PhotoKey(segments[2].text)
    else { return .response(Self.missing) }
    if segments[3].text == "original", photos.options.servesOriginals {
      return finding(key) { [photos] file, responder in
        let folder = photos.folder
        responder(
          Self.original(file, in: folder)
            ?? (folder.problem(of: file) == nil ? Self.missing : Self.unmade))
      }
    }
    guard let width = PictureWidth.all.first(where: { "\($0)" == segments[3].text }) else {
      return .response(Self.missing)
    }
    let format: PictureFormat = request.accepts("image/webp") ? .webp : .jpeg
    let picture = PictureVariant(key: key, width: width, format: format)
    if let found = picture.response(from: photos.pictures) { return .response(found) }
    return finding(key) { [self] file, responder in make(picture, of: file, responder) }
  }

  private static let missing = Problem.notFound("There is no such picture.").response
  private static let unmade = Problem.unavailable("The picture cannot be made now.").response

  /// The file itself, to be saved under its name.
  private static func original(_ file: PhotoFile, in folder: PhotoFolder) -> Response? {
    folder.open(file).flatMap { FileBody(descriptor: $0) }.map {
      let name = (file.path.split(separator: UInt8(ascii: "/")).last ?? []).percentEncoded()
      return sent(
        $0, as: "application/octet-stream",
        Field("Content-Disposition", "attachment; filename*=UTF-8''\(name)"))
    }
  }

  /// A file whose address never shows another one.
  fileprivate static func sent(_ file: FileBody, as type: String, _ field: Field) -> Response {
    let cached = Field("Cache-Control", "public, max-age=31536000, immutable")
    return Response(fields: [Field("Content-Type", type), cached, field], body: .file(file))
  }

  /// Calls `body` with the picture of a key on any thread. Before the end of the first scan it waits, at most ten seconds.
  private func finding(
    _ key: PhotoKey, _ body: @escaping @Sendable (PhotoFile, Responder) -> Void
  ) -> HandlerResult {
    .deferred { [photos] responder in
      if photos.isInFirstScan {
        DispatchQueue.timers.asyncAfter(deadline: .now() + 10) { [weak responder] in
          guard photos.isInFirstScan else { return }
          responder?(Problem.unavailable("The folder is being read.", retryAfter: 5).response)
        }
      }
      photos.firstScan.notify(queue: .global()) {
        guard responder.isClientWaiting else { return }
        guard let file = photos.index.withLock({ $0[key]?.file }) else {
          return responder(Self.missing)
        }
        body(file, responder)
      }
    }
  }

  /// Makes a picture, unless it is being made. The work is left out if all who asked for it have left.
  private func make(_ picture: PictureVariant, of file: PhotoFile, _ responder: Responder) {
    let name = picture.name
    let isFirst = waiting.withLock { waiting in
      defer { waiting[name, default: []].append(responder) }
      return waiting[name] == nil
    }
    photos.state.withLock { $0.viewed = file.parent }
    guard isFirst else { return photos.workers.prioritize(name) }
    let open = { @Sendable [self] () -> [Int32]? in
      // If no client waits, the next request is the first. The responders are dropped outside of the lock.
      let dropped = waiting.withLock { waiting in
        let isClientWaiting = waiting[name]?.contains(where: \.isClientWaiting) ?? false
        return isClientWaiting ? nil : waiting.removeValue(forKey: name) ?? []
      }
      guard dropped == nil else { return nil }
      return photos.folder.open(file).map { [$0, Descriptors.memory()] } ?? []
    }
    photos.workers.submit(
      .make, "\(picture.width)", picture.format.rawValue, named: name, opening: open
    ) { [self] result, files in
      let response = response(to: picture, of: file, result, files)
      for responder in waiting.withLock({ $0.removeValue(forKey: name) }) ?? [] {
        responder(response)
      }
    }
  }

  /// The picture that was made in the second of `files`: from the cache, if it could be kept.
  private func response(
    to picture: PictureVariant, of file: PhotoFile, _ result: PictureWorkerPool.Result,
    _ files: [Int32]
  ) -> Response {
    if let reason = result.reason, photos.folder.canRead(file) == true {
      photos.reject(file, reason)
      return Problem(status: 404, detail: "The picture cannot be read.", cause: reason).response
    }
    if case .success = result {
      photos.pictures.keep(picture.name, files[1])
      let kept = picture.response(from: photos.pictures)
      let copy = { FileBody(descriptor: fcntl(files[1], F_DUPFD_CLOEXEC, 0)) }
      if let response = kept ?? copy().map(picture.response) { return response }
    }
    return Self.unmade
  }
}

/// A picture in the cache, or to be made.
private struct PictureVariant: Sendable {
  let key: PhotoKey
  let width: Int
  let format: PictureFormat

  var name: String {
    let key = key.description
    return "\(key.prefix(2))/\(key)-\(width).\(format == .webp ? "webp" : "jpg")"
  }

  /// Nil if the picture is not in the cache.
  func response(from cache: PictureCache) -> Response? {
    guard let path = cache.path(of: name) else { return nil }
    guard let file = FileBody(ofFileAt: path) else {
      if errno == ENOENT { cache.forget(name) }
      return nil
    }
    return response(file)
  }

  func response(_ file: FileBody) -> Response {
    PictureRoute.sent(file, as: "image/\(format.rawValue)", Field("Vary", "Accept"))
  }
}
