import Catalogue
import Foundation
import Items
import PictureMessages
import Synchronization

/// Keeps the strip of a folder equal to the folder. One thread uses it.
struct PhotoScanner: ~Copyable {
  private let photos: PhotoLibrary
  private let folder: PhotoFolder
  private var watch: FolderWatch?
  /// What the last scan of all folders has found, without files.
  private var lastScan = FolderContents()
  /// The items of an earlier start for which no file was found. They are not in the index. Nil before the strip is read: at the
  /// start, and after an edit that failed.
  private var stored: [PhotoKey: PhotoWriter.StoredPhoto]?
  /// Folders with files that could not be read, but may still be written.
  private var unfinished: Set<[UInt8]> = []
  /// Files that were not read in time: when each is tried again, nil once it is, and the pause before that.
  private var slowFiles: [PhotoFile: (retry: ContinuousClock.Instant?, pause: Duration)] = [:]
  private var scanned = ContinuousClock.now
  private var isSummaryLogged = false
  /// Why the last edit failed.
  private var failure: String?

  /// A picture that becomes an item.
  private typealias Added = (entry: PhotoIndex.Entry, item: Item)

  init(_ photos: PhotoLibrary) {
    self.photos = photos
    folder = photos.folder
    watch = photos.options.watches ? FolderWatch(below: photos.folder.path) : nil
  }

  mutating func run() {
    while !readStored(), !photos.workers.isStopped { Thread.sleep(forTimeInterval: 1) }
    let found = scanAll()
    photos.firstScan.leave()
    read(found)
    logSummary()
    if photos.options.watches, watch == nil { warnOfMissingNotifications() }
    while !photos.workers.isStopped {
      let changed = changes()
      // After an edit that failed, all is read again, but not each second: the disk may be full for long.
      if stored == nil, .now - scanned < .seconds(10) { continue }
      let isWhole = stored == nil || photos.state.withLock(\.isUnavailable) || isDue
      read(isWhole ? scanAll() : scan(changed))
      if stored != nil { applyBackgroundResults() }
      logSummary()
    }
  }

  /// Logs once what the folder has. A broken file may still be written, so this waits for it, a few seconds at most.
  private mutating func logSummary() {
    guard !isSummaryLogged, unfinished.isEmpty || .now - scanned > .seconds(5) else { return }
    isSummaryLogged = true
    let count = photos.index.withLock(\.count)
    let unreadable = photos.unreadable.count + lastScan.unreadable.count
    photos.options.log("\(folder.path): \(count) pictures; \(unreadable) files cannot be read.")
  }

  private var isDue: Bool {
    photos.options.watches && (watch == nil || !lastScan.unreadable.isEmpty)
      && .now - scanned > .seconds(60)
  }

  /// The folders that have changed within a second. Nil if that is not known.
  private mutating func changes() -> Set<[UInt8]>? {
    // A file whose time had come and that was not slow again is read, rewritten or gone.
    slowFiles = slowFiles.filter { $0.value.retry != nil }
    for (file, trial) in slowFiles where trial.retry.map({ $0 <= .now }) ?? false {
      slowFiles[file]?.retry = nil
      unfinished.insert(file.parent)
    }
    let milliseconds: Int32 = unfinished.isEmpty ? 1000 : 300
    defer { unfinished = [] }
    guard watch != nil else {
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
      return unfinished
    }
    return watch?.changes(within: milliseconds)?.union(unfinished)
  }

  private mutating func addWatch(_ folder: [UInt8]) {
    guard let isWatched = watch?.add(folder), !isWatched else { return }
    watch = nil
    warnOfMissingNotifications()
  }

  private func warnOfMissingNotifications() {
    photos.options.log(
      "The system does not report all changes (fs.inotify.max_user_watches). A scan each minute finds them."
    )
  }

  // MARK: - Scans

  /// Reads which items the strip has, unless that is known. Without it, each file would count as new. Returns false after an error.
  private mutating func readStored() -> Bool {
    guard stored == nil else { return true }
    do throws(CatalogueError) {
      stored = try photos.writer.stored()
      return true
    } catch {
      photos.options.log("The strip cannot be read: \(error.description)")
      return false
    }
  }

  /// Compares the whole folder with the strip. If the folder is unavailable, its pictures stay.
  private mutating func scanAll() -> FolderDiff {
    let isRead = stored != nil
    guard readStored(), let stored else { return FolderDiff() }
    let (folder, inode) = (folder, folder.inode(of: []))
    var contents =
      inode == nil
      ? FolderContents()
      : folder.contents {
        addWatch($0)
        return true
      }
    let isEmpty = contents.unreadable.isEmpty && contents.files.values.allSatisfy(\.isEmpty)
    let hadItems = !stored.isEmpty || photos.index.withLock { $0.count > 0 }
    let isEmptied = isEmpty && inode != lastScan.inodes[[]] && hadItems
    let isUnavailable = inode == nil || isEmptied || inode != folder.inode(of: [])
    let wasUnavailable = photos.state.withLock { state in
      defer { state.isUnavailable = isUnavailable }
      return state.isUnavailable
    }
    scanned = .now
    if isUnavailable != wasUnavailable {
      let state =
        isUnavailable ? "unavailable. Its pictures stay in the strip." : "available again."
      photos.options.log("The folder \(folder.path) is \(state)")
    }
    guard !isUnavailable else {
      if !isRead { self.stored = nil }
      return FolderDiff()
    }
    contents.addUnmounted(
      since: lastScan,
      stored.values.map(\.id) + photos.index.withLock { $0.ordered.map(\.order.id) }
    )
    for (path, reason) in contents.unreadable where lastScan.unreadable[path] != reason {
      photos.options.log("\(String(decoding: path, as: UTF8.self)) cannot be read: \(reason)")
    }
    lastScan = contents
    lastScan.files = [:]
    watch?.keep(contents.folders)
    var index = isRead ? photos.index.withLock { $0 } : PhotoIndex()
    let rejected = photos.unreadable.keys
    let found = FolderDiff(
      of: contents, in: index.folders.union(contents.files.keys), from: index, stored,
      without: rejected)
    photos.unreadable.remove(rejected.subtracting(found.rejected)) { !contents.mayContain($0) }
    adopt(found, &index)
    return self.stored == nil ? FolderDiff() : found
  }

  /// Compares folders with the strip: all of them if some changes are not known, or if other folders are in one now.
  private mutating func scan(_ changed: Set<[UInt8]>?) -> FolderDiff {
    guard let changed else { return scanAll() }
    guard !changed.isEmpty else { return FolderDiff() }
    guard lastScan.unreadable.isEmpty, folder.inode(of: []) == lastScan.inodes[[]] else {
      return scanAll()
    }
    var contents = FolderContents()
    for next in changed {
      addWatch(next)
      folder.list(next, into: &contents)
      guard let folders = contents.folders[next], folders == lastScan.folders[next],
        contents.unreadable.isEmpty
      else { return scanAll() }
    }
    let rejected = photos.unreadable.keys
    let found = FolderDiff(
      of: contents, in: changed, from: photos.index.withLock { $0 }, without: rejected)
    let folders = Set(changed.map { Array(PhotoFile.encoded($0).utf8) })
    photos.unreadable.remove(rejected.subtracting(found.rejected)) { path in
      let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
      return folders.contains(Array(path.utf8[..<end]))
    }
    return found
  }

  /// Takes the items whose files are the same, and removes those whose files are gone.
  private mutating func adopt(_ found: FolderDiff, _ index: inout PhotoIndex) {
    stored = found.stored
    _ = index.change(removing: [], adding: found.kept.sorted { $0.order < $1.order })
    photos.index.withLock { $0 = index }
    photos.placeholders.withLock { placeholders in
      found.withoutPlaceholder.forEach { placeholders.add($0) }
    }
    if !found.removed.isEmpty { edit([.remove(ids: found.removed)]) }
  }

  // MARK: - Reading

  /// Reads the headers of new files in the order in which a reader meets them. One file of each folder is first: it says where
  /// in the strip the folder stands.
  private mutating func read(_ found: FolderDiff) {
    var found = found
    found.new.removeAll { slowFiles[$0]?.retry != nil }
    guard !found.new.isEmpty || !found.gone.isEmpty else { return }
    photos.state.withLock { [count = found.new.count] in $0.pending = count }
    var unread = ScanOrder(found.new)
    var samples = unread.takeSamples()
    read(removing: found.gone) { samples.popLast() }
    photos.index.withLock { index in
      unread.sort { index.entries(in: $0).values.map(\.order.taken).max() ?? 0 }
    }
    let photos = photos
    read { unread.next(in: photos.state.withLock(\.viewed)) }
    photos.state.withLock { $0.pending = 0 }
  }

  /// Reads the header of each `next` file, and changes the strip.
  private mutating func read(
    removing gone: [PhotoIndex.Entry] = [], _ next: () -> PhotoFile?
  ) {
    let photos = photos
    var gone = gone
    photos.workers.runAll(.header, in: folder) {
      next().map { file in
        photos.state.withLock { ($0.pending, $0.opened) = ($0.pending - 1, $0.opened + 1) }
        return file
      }
    } results: {
      change(removing: take(&gone), $0)
    }
  }

  /// Adds the pictures of results to the strip, and removes those that are gone or have changed.
  private mutating func change(
    removing gone: [PhotoIndex.Entry],
    _ results: [(file: PhotoFile, result: PictureWorkerPool.Result)]
  ) {
    var (gone, added) = (gone, [Added]())
    for (file, result) in results {
      do throws(CatalogueError) {
        guard let photo = try photo(file, result) else { continue }
        let entry = PhotoIndex.Entry(file, file.key, photo.order)
        added.append((entry, try photo.item(image: photos.writer.image(of: file))))
        if !photo.header.hasPlaceholder { photos.placeholders.withLock { $0.add(file) } }
      } catch {
        photos.reject(file, error.description)
      }
      if let before = photos.index.withLock({ $0.entry(at: file) }) { gone.append(before) }
    }
    change(removing: gone, adding: added)
  }

  /// The picture of a result. Nil if the file has changed or is still being written.
  private mutating func photo(
    _ file: PhotoFile, _ result: PictureWorkerPool.Result
  ) throws(CatalogueError) -> Photo? {
    if case .success(let texts) = result, let header = PictureHeader(texts: texts) {
      slowFiles[file] = nil
      return Photo(file, header)
    }
    if case .failure(.timedOut) = result {
      retryLater(file)
      return nil
    }
    let now = Int(Date.now.timeIntervalSince1970)
    let hasCrashed = if case .failure(.crashed) = result { true } else { false }
    let reason = result.reason ?? photos.folder.problem(of: file, willRetry: true)
    if let reason, !(now - 1...now + 1 ~= file.modified) || hasCrashed {
      let isIntact = result.reason == nil ? true : photos.folder.canRead(file)
      if isIntact == true { throw .invalid(reason) }
      if isIntact == false {
        retryLater(file)
        return nil
      }
    }
    unfinished.insert(file.parent)
    return nil
  }

  /// Tries a file again after ten minutes, then after twice as long each time, up to a day. A file that has changed is
  /// another one, and is read at once.
  private mutating func retryLater(_ file: PhotoFile) {
    let pause = slowFiles[file].map { min($0.pause * 2, .seconds(86_400)) } ?? .seconds(600)
    if slowFiles[file] == nil {
      photos.options.log(
        "\(file.id): it was not read within \(PictureProcess.timeLimit) seconds, or its disk fails. It is tried again later."
      )
    }
    slowFiles[file] = (.now + pause, pause)
  }

  /// Changes the strip and the index together.
  private mutating func change(
    removing gone: [PhotoIndex.Entry], adding added: [Added] = []
  ) {
    photos.unreadable.save()
    guard !gone.isEmpty || !added.isEmpty else { return }
    let added = added.sorted { $0.entry.order < $1.entry.order }
    let entries = added.map(\.entry)
    let runs = photos.index.withLock { $0.change(removing: gone, adding: entries) }
    let removal: [Edit] = gone.isEmpty ? [] : [.remove(ids: gone.map(\.order.id))]
    edit(
      removal + runs.map { .insert(added[$0.range].map(\.item), .before($0.before?.order.id)) })
  }

  /// Changes the strip. If that fails, it is read again, and the next scan repeats the change.
  private mutating func edit(_ edits: [Edit]) {
    do throws(CatalogueError) {
      try photos.writer.apply(edits)
      if failure != nil { photos.options.log("The strip can be changed again.") }
      failure = nil
    } catch {
      stored = nil
      // The disk may be full of made pictures.
      if case .full = error { photos.pictures.makeRoom() }
      if failure != error.description {
        photos.options.log("The strip cannot be changed: \(error.description)")
      }
      failure = error.description
    }
  }

  // MARK: - Placeholders

  /// Removes the items of files that turned out to be unreadable, and gives cards without one their placeholders.
  private mutating func applyBackgroundResults() {
    let rejected = photos.unreadable.keys
    change(removing: photos.index.withLock { index in rejected.compactMap { index[$0] } })
    photos.makePlaceholders()
    let made = photos.placeholders.withLock { $0.takeMade() }
    let placeholders = photos.index.withLock { index in
      made.compactMap { file, header in
        index[file.key].flatMap { try? photos.writer.edit(adding: header, to: $0.order.id) }
      }
    }
    if !placeholders.isEmpty { edit(placeholders) }
  }
}

/// Empties a collection, and returns what it had.
func take<Elements: RangeReplaceableCollection>(_ elements: inout Elements) -> Elements {
  defer { elements = Elements() }
  return elements
}

extension PictureWorkerPool.Result {
  /// Why the picture of a file cannot be read. Nil if it can, or if that is not known.
  var reason: String? {
    switch self {
    case .failure(.unreadable(let reason)): reason
    case .failure(.crashed): "reading it ended the program"
    default: nil
    }
  }
}
