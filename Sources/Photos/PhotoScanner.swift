import Foundation
import Items
import PictureMessages
import Synchronization

/// Keeps the strip of a folder equal to the folder. One thread uses it.
struct PhotoScanner: ~Copyable {
  private let photos: Photos
  private let folder: PhotoFolder
  private var watch: FolderWatch?
  /// The folders that were read: what names each, and the folders in it with the numbers that it has for them.
  private var known: [[UInt8]: (inode: PhotoFolder.Inode, folders: [[UInt8]: UInt])] = [:]
  /// The path by which a folder is read. Links lead to some folders by several paths.
  private var paths: [PhotoFolder.Inode: [UInt8]] = [:]
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
    scanAll()
    let status = photos.status
    photos.options.log(
      "\(photos.folder.path): \(status.items) pictures; \(status.unreadable) files cannot be read.")
    if photos.options.follows, watch == nil { sayThatNothingIsReported() }
    while !photos.isStopped {
      let changed = changes()
      if isBehind || changed == nil || photos.status.isAway || isDue {
        scanAll()
      } else if let changed, !changed.isEmpty {
        scan(changed)
      }
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
  private mutating func scanAll() {
    let before = stored
    let inode = folder.inode(of: [])
    let found = inode == nil ? Found() : walk([[]], isWhole: true)
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
    defer { photos.endFirstScan() }
    guard !isAway else { return stored = before }
    root = inode
    isBehind = false
    keep(found.kept)
    photos.endFirstScan()
    if !isBehind { read(found) }
  }

  /// Compares some folders with the strip.
  private mutating func scan(_ folders: Set<[UInt8]>) {
    guard folder.inode(of: []) == root else { return scanAll() }
    read(walk(Array(folders), isWhole: false))
  }

  /// - Parameter isWhole: also reads the folders below that were read before.
  private mutating func walk(_ folders: [[UInt8]], isWhole: Bool) -> Found {
    var found = Found()
    var seen: Set<[UInt8]> = []
    var pending = folders
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      if let inode = folder.inode(of: next), let other = paths[inode], other != next {
        // A link to a folder that is read by another path, or a folder that has moved.
        if folder.inode(of: other) == inode { continue }
        forget(other)
      }
      follow(next)
      switch folder.list(next) {
      case .listed(let inode, let files, let folders, let links):
        let before = known.updateValue((inode, folders), forKey: next)
        if let before, paths[before.inode] == next { paths[before.inode] = nil }
        paths[inode] = next
        compare(files, in: next, &found)
        // Links last: a folder is named by its own path.
        for (folder, number) in folders where isWhole || before?.folders[folder] != number {
          pending.insert(folder, at: links.contains(folder) ? 0 : pending.count)
        }
        for folder in before?.folders.keys ?? [:].keys where folders[folder] == nil {
          forget(folder)
        }
      case .missing: forget(next)
      case .unreadable(let reason):
        photos.options.log("The folder \(PhotoFile.encoded(next)) cannot be read: \(reason)")
      }
    }
    for folder in photos.index.withLock(\.folders) where known[folder] == nil {
      compare([], in: folder, &found)
    }
    return found
  }

  /// A folder is gone, with all below it.
  private mutating func forget(_ folder: [UInt8]) {
    guard let gone = known.removeValue(forKey: folder) else { return }
    if paths[gone.inode] == folder { paths[gone.inode] = nil }
    photos.unreadable.keep([], in: folder)
    for below in gone.folders.keys { forget(below) }
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
        if !item.hasPlaceholder { photos.placeholders.withLock { $0.bare.append(file) } }
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
  private mutating func read(_ found: consuming Found) {
    photos.state.withLock { [count = found.new.count] in $0.pending = count }
    var unread = UnreadFiles(take(&found.new))
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
    var (gone, added) = (gone, [PhotoIndex.Entry]())
    var items: [ObjectIdentifier: Item] = [:]
    for (file, result) in answers {
      do throws(CatalogueError) {
        guard let photo = try photo(file, result) else { continue }
        let entry = PhotoIndex.Entry(file, file.key, photo.place)
        items[ObjectIdentifier(entry)] = try photo.item(image: photos.writer.image(of: file))
        if photo.header.placeholder == nil { photos.placeholders.withLock { $0.bare.append(file) } }
        added.append(entry)
      } catch {
        photos.refuse(file, error.description)
      }
      if let before = photos.index.withLock({ $0.entry(at: file) }) { gone.append(before) }
    }
    change(removing: gone, adding: added, items)
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
    removing gone: [PhotoIndex.Entry], adding added: [PhotoIndex.Entry] = [],
    _ items: [ObjectIdentifier: Item] = [:]
  ) {
    photos.unreadable.save()
    // A request and a placeholder can both find that a file is unreadable.
    var seen: Set<ObjectIdentifier> = []
    let gone = gone.filter { seen.insert(ObjectIdentifier($0)).inserted }
    guard !gone.isEmpty || !added.isEmpty else { return }
    let added = added.sorted { $0.place < $1.place }
    let runs = photos.index.withLock { $0.change(removing: gone, adding: added) }
    let isMade = edit { writer throws(CatalogueError) in
      try writer.edit(
        removing: gone.map(\.place.id),
        inserting: runs.map { run, next in
          (run.compactMap { items[ObjectIdentifier($0)] }, next?.place.id)
        })
    }
    guard !isMade else { return }
    let before = gone.sorted { $0.place < $1.place }
    photos.index.withLock { _ = $0.change(removing: added, adding: before) }
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
    let refused = photos.placeholders.withLock { take(&$0.refused) }
    change(removing: photos.index.withLock { index in refused.compactMap { index[$0.key] } })
    photos.makePlaceholders()
    let made = photos.placeholders.withLock { $0.takeMade() }
    let placeholders = photos.index.withLock { index in
      made.compactMap { made in index[made.file.key].map { ($0.place.id, made.placeholder) } }
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
