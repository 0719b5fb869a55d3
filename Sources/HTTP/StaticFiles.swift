import Synchronization

/// The files of one folder, answered with their type, a strong entity tag and `no-cache`.
///
///     let files = try StaticFiles(at: "Public")
///     files.answer(Request(.get, "/carousel.js"))
///
/// Names that begin with a dot, links and whatever lies outside the folder are not there. A file is
/// kept in memory and looked at again after ``recheckAfter``, so that an edit shows on the next load.
///
/// - Complexity: one look in a dictionary for a file seen lately.
package final class StaticFiles: Handler {
  private struct Kept {
    let file: Representation
    let state: FileState
    var seen: ContinuousClock.Instant
  }

  private let folder: Folder
  private let recheckAfter: Duration
  private let fields: [Field]
  private let pageFields: [Field]
  private let encoder: (any ContentEncoder)?
  private let kept = Mutex<[Bytes: Kept]>([:])
  /// A file longer than this is read each time.
  private let keepLimit = 4 * 1024 * 1024

  /// The files of the folder at `path`, each answered from memory for `recheckAfter` before the
  /// disk is looked at again, and with `fields` beside its own, pages of HTML with `pageFields` as well.
  /// `encoder` packs each file once.
  ///
  /// - Throws: when there is no folder at `path`, or none that may be read.
  package init(
    at path: String, recheckAfter: Duration = .milliseconds(500), adding fields: [Field] = [],
    toPages pageFields: [Field] = [], encoder: (any ContentEncoder)? = nil
  ) throws(FolderUnreadable) {
    folder = try Folder(at: path)
    self.recheckAfter = recheckAfter
    self.fields = fields
    self.pageFields = fields + pageFields
    self.encoder = encoder
  }

  package func answer(_ request: Request) -> Answer {
    guard let (file, seen) = find(request.path) else {
      return .response(Problem.notFound("There is nothing at this path.").response)
    }
    let allow = "GET, HEAD, OPTIONS"
    if request.method == .options { return .response(.options(allow)) }
    guard request.method.isRead else {
      return .response(Problem.methodNotAllowed(allow).response)
    }
    do {
      var response = try file.answer(to: request)
      let end = seen + recheckAfter
      response.standing = CacheValidator { ContinuousClock.now < end }
      return .response(response)
    } catch {
      return .response(error.response)
    }
  }

  /// The file at `path`, and when the disk was looked at.
  private func find(_ path: Bytes) -> (Representation, seen: ContinuousClock.Instant)? {
    let now = ContinuousClock.now
    let before = kept.withLock { $0[path] }
    if let before, now - before.seen < recheckAfter { return (before.file, before.seen) }
    guard let segments = PathSegments(path)?.segments, let file = folder.file(at: segments) else {
      if before != nil { kept.withLock { _ = $0.removeValue(forKey: path) } }
      return nil
    }
    if var before, before.state == file.state {
      before.seen = now
      keep(before, for: path)
      return (before.file, now)
    }
    let state = file.state
    guard let bytes = file.contents() else { return nil }
    let type = MediaType.of(fileNamed: segments.last ?? path)
    let answer = Representation(
      type, bytes,
      fields: [Field("Cache-Control", "no-cache")] + (MediaType.isPage(type) ? pageFields : fields),
      encoder: encoder, isKept: true)
    if bytes.count <= keepLimit { keep(Kept(file: answer, state: state, seen: now), for: path) }
    return (answer, now)
  }

  private func keep(_ file: Kept, for path: Bytes) {
    // A path of its own memory, so that no request's head is held. One file has one canonical
    // path; those that percent-encode without need are not kept, so the folder bounds the memory.
    guard !path.contains(UInt8(ascii: "%")) else { return }
    kept.withLock { $0[Bytes(Array(path))] = file }
  }
}
