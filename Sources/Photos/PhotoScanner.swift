import Foundation
import Items
import PictureMessages
import Synchronization

/// Keeps the strip of a folder equal to the folder. One thread uses it.
struct PhotoScanner: ~Copyable {
  private let photos: Photos
  private let folder: PhotoFolder
  private var watch: FolderWatch?
  /// The folders that were read: the folders in each, with the numbers that it has for them.
  private var known: [[UInt8]: [[UInt8]: UInt]] = [:]
  private var root: PhotoFolder.Inode?
  /// The items of an earlier start for which no file was found. Nil after the first scan.
  private var stored: [PhotoKey: PhotoWriter.StoredPhoto]? = [:]
  /// Folders with files that could not be read, but may still be written.
  private var unfinished: Set<[UInt8]> = []
  /// Whether the strip lacks a change.
  private var isBehind = false
  private var scanned = ContinuousClock.now

  /// What a scan has found.
  private struct Found {
    var count = 0
    var new: [PhotoFile] = []
    /// Items of an earlier start whose files are the same.
    var kept: [PhotoIndex.Entry] = []
    var gone: [PhotoIndex.Entry] = []
  }

  /// A picture that becomes an item.
  private typealias Added = (entry: PhotoIndex.Entry, item: Item)

  init(_ photos: Photos) {
    self.photos = photos
    folder = photos.folder
    watch = photos.options.follows ? FolderWatch(below: photos.folder.path) : nil
  }

  mutating func run() {
    do throws(CatalogueError) {
      stored = try photos.writer.stored()
    } catch {
      photos.options.log("The strip cannot be read: \(error.description)")
    }
    let found = scanAll()
    photos.firstScan.leave()
    read(found)
    let (count, unreadable) = (photos.index.withLock(\.count), photos.unreadable.count)
    photos.options.log("\(folder.path): \(count) pictures; \(unreadable) files cannot be read.")
    if photos.options.follows, watch == nil { sayThatNothingIsReported() }
    while !photos.workers.isStopped {
      let changed = changes()
      let isWhole = isBehind || photos.state.withLock(\.isAway) || isDue
      read(isWhole ? scanAll() : scan(changed))
      settle()
    }
  }

  private var isDue: Bool {
    photos.options.follows && watch == nil && .now - scanned > .seconds(60)
  }

  /// The folders that have changed within a second. Nil if that is not known.
  private mutating func changes() -> Set<[UInt8]>? {
    let milliseconds: Int32 = unfinished.isEmpty ? 1000 : 300
    defer { unfinished = [] }
    guard watch != nil else {
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
      return unfinished
    }
    return watch?.changes(within: milliseconds)?.union(unfinished)
  }

  private mutating func follow(_ folder: [UInt8]) {
    guard let isWatched = watch?.add(folder), !isWatched else { return }
    watch = nil
    sayThatNothingIsReported()
  }

  private func sayThatNothingIsReported() {
    photos.options.log(
      "The system does not report all changes (fs.inotify.max_user_watches). A scan each minute finds them."
    )
  }

  // MARK: - Scans

  /// Compares the whole folder with the strip. If the folder is away, its pictures stay.
  private mutating func scanAll() -> Found {
    let before = (stored, known)
    let inode = folder.inode(of: [])
    let found = inode == nil ? Found() : compareAll()
    let hadItems = stored?.isEmpty == false || photos.index.withLock { $0.count > 0 }
    let isEmptied = found.count == 0 && inode != root && hadItems
    let isAway = inode == nil || isEmptied || inode != folder.inode(of: [])
    let wasAway = photos.state.withLock { state in
      defer { state.isAway = isAway }
      return state.isAway
    }
    scanned = .now
    if isAway != wasAway {
      let place = isAway ? "away. Its pictures stay in the strip." : "back."
      photos.options.log("The folder \(folder.path) is \(place)")
    }
    guard !isAway else {
      (stored, known) = before
      return Found()
    }
    root = inode
    isBehind = false
    keep(found.kept)
    return isBehind ? Found() : found
  }

  /// Compares folders with the strip: all of them if some changes are not known, or if other folders are in one now.
  private mutating func scan(_ changed: Set<[UInt8]>?) -> Found {
    var found = Found()
    guard let changed, changed.isEmpty || folder.inode(of: []) == root else { return scanAll() }
    for next in changed {
      follow(next)
      guard case .listed(let files, let folders, _) = folder.list(next), folders == known[next]
      else { return scanAll() }
      compare(files, in: next, &found)
    }
    return found
  }

  private mutating func compareAll() -> Found {
    let (folder, before) = (folder, known)
    var found = Found()
    known = [:]
    folder.walk { next in
      follow(next)
      let listing = folder.list(next)
      switch listing {
      case .listed(let files, let folders, _):
        known[next] = folders
        compare(files, in: next, &found)
      case .missing: break
      case .unreadable(let reason):
        photos.options.log("The folder \(PhotoFile.encoded(next)) cannot be read: \(reason)")
        let start = next.isEmpty ? [] : next + [UInt8(ascii: "/")]
        known.merge(before.filter { $0.key == next || $0.key.starts(with: start) }) { $1 }
      }
      return listing
    }
    let folders = photos.index.withLock(\.folders).union(before.keys)
    for gone in folders where known[gone] == nil { compare([], in: gone, &found) }
    return found
  }

  private mutating func compare(_ files: [PhotoFile], in folder: [UInt8], _ found: inout Found) {
    found.count += files.count
    let unreadable = photos.unreadable.keep(files, in: folder)
    var before = photos.index.withLock { $0.entries(in: folder) }
    for file in files {
      // An item of such a file is gone.
      if !unreadable.isEmpty, unreadable.contains(file.key) { continue }
      if before.removeValue(forKey: file.path)?.file == file { continue }
      let key = stored?.isEmpty == false ? file.key : nil
      if let key, let item = stored?[key],
        case let place = PhotoPlace(file, taken: item.taken), place.id == item.id
      {
        stored?[key] = nil
        found.kept.append(PhotoIndex.Entry(file, key, place))
        if !item.hasPlaceholder { photos.placeholders.withLock { $0.add(file) } }
      } else {
        found.new.append(file)
      }
    }
    found.gone += before.values
  }

  /// Takes the items of an earlier start whose files are the same, and removes the others.
  private mutating func keep(_ kept: [PhotoIndex.Entry]) {
    guard let gone = stored else { return }
    stored = nil
    _ = photos.index.withLock {
      $0.change(removing: [], adding: kept.sorted { $0.place < $1.place })
    }
    let isMade = edit { writer throws(CatalogueError) in
      try writer.edit(removing: gone.values.map(\.id), inserting: [])
    }
    if !isMade { stored = gone }
  }

  // MARK: - Reading

  /// Reads the headers of new files in the order in which a reader meets them. One file of each folder is first: it says where
  /// in the strip the folder stands.
  private mutating func read(_ found: Found) {
    guard !found.new.isEmpty || !found.gone.isEmpty else { return }
    photos.state.withLock { [count = found.new.count] in $0.pending = count }
    var unread = UnreadFiles(found.new)
    var samples = unread.takeSamples()
    read(removing: found.gone) { samples.popLast() }
    photos.index.withLock { index in
      unread.sort { index.entries(in: $0).values.map(\.place.taken).max() ?? 0 }
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
    photos.workers.ask(.header, in: folder) {
      next().map { file in
        photos.state.withLock { ($0.pending, $0.opened) = ($0.pending - 1, $0.opened + 1) }
        return file
      }
    } answers: {
      change(removing: take(&gone), $0)
    }
  }

  /// Adds the pictures of answers to the strip, and removes those that are gone or have changed.
  private mutating func change(
    removing gone: [PhotoIndex.Entry], _ answers: [(file: PhotoFile, result: PictureWorkers.Result)]
  ) {
    var (gone, added) = (gone, [Added]())
    for (file, result) in answers {
      do throws(CatalogueError) {
        guard let photo = try photo(file, result) else { continue }
        let entry = PhotoIndex.Entry(file, file.key, photo.place)
        added.append((entry, try photo.item(image: photos.writer.image(of: file))))
        if !photo.header.hasPlaceholder { photos.placeholders.withLock { $0.add(file) } }
      } catch {
        photos.refuse(file, error.description)
      }
      if let before = photos.index.withLock({ $0.entry(at: file) }) { gone.append(before) }
    }
    change(removing: gone, adding: added)
  }

  /// The picture of an answer. Nil if the file has changed or is still being written.
  private mutating func photo(
    _ file: PhotoFile, _ result: PictureWorkers.Result
  ) throws(CatalogueError) -> Photo? {
    if case .success(let texts) = result, let header = PictureHeader(texts: texts) {
      return Photo(file, header)
    }
    let age = Int(Date.now.timeIntervalSince1970) - file.modified / 1_000_000_000
    let isEnded = if case .failure(.ended) = result { true } else { false }
    let reason = result.reason ?? photos.folder.problem(of: file)
    if let reason, abs(age) > 1 || isEnded { throw .invalid(reason) }
    unfinished.insert(file.parent)
    return nil
  }

  /// Changes the strip and the index together.
  private mutating func change(
    removing gone: [PhotoIndex.Entry], adding added: [Added] = []
  ) {
    photos.unreadable.save()
    guard !gone.isEmpty || !added.isEmpty else { return }
    let added = added.sorted { $0.entry.place < $1.entry.place }
    let entries = added.map(\.entry)
    let runs = photos.index.withLock { $0.change(removing: gone, adding: entries) }
    let isMade = edit { writer throws(CatalogueError) in
      try writer.edit(
        removing: gone.map(\.place.id),
        inserting: runs.map { range, next in (added[range].map(\.item), next?.place.id) })
    }
    guard !isMade else { return }
    let before = gone.sorted { $0.place < $1.place }
    photos.index.withLock { _ = $0.change(removing: entries, adding: before) }
  }

  /// Returns whether the edit was made. After one that was not, the next scan repeats it.
  @discardableResult
  private mutating func edit(_ body: (PhotoWriter) throws(CatalogueError) -> Void) -> Bool {
    do throws(CatalogueError) {
      try body(photos.writer)
      return true
    } catch {
      isBehind = true
      photos.options.log("The strip cannot be changed: \(error.description)")
      return false
    }
  }

  // MARK: - Placeholders

  /// Removes the items of files that turned out to be unreadable, and gives cards without one their placeholders.
  private mutating func settle() {
    // A request and a placeholder can both find that a file is unreadable.
    let refused = Set(photos.placeholders.withLock { take(&$0.refused) })
    change(removing: photos.index.withLock { index in refused.compactMap { index[$0.key] } })
    photos.makePlaceholders()
    let made = photos.placeholders.withLock { $0.takeMade() }
    let placeholders = photos.index.withLock { index in
      made.compactMap { made in index[made.file.key].map { ($0.place.id, made.header) } }
    }
    edit { writer throws(CatalogueError) in try writer.update(placeholders) }
  }
}

/// Empties a collection, and returns what it had.
func take<Elements: RangeReplaceableCollection>(_ elements: inout Elements) -> Elements {
  defer { elements = Elements() }
  return elements
}

extension PictureWorkers.Result {
  /// Why the picture of a file cannot be read. Nil if it can, or if that is not known.
  var reason: String? {
    switch self {
    case .failure(.unreadable(let reason)): reason
    case .failure(.ended): "reading it ended the program"
    default: nil
    }
  }
}
