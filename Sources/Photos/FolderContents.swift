import Glibc

/// What is in folders, as names and status say.
struct FolderContents {
  /// The pictures in each.
  var files: [[UInt8]: [PhotoFile]] = [:]
  /// The folders in each, with the numbers that it has for them.
  var folders: [[UInt8]: [[UInt8]: UInt]] = [:]
  var inodes: [[UInt8]: PhotoFolder.Inode] = [:]
  /// The files and folders that are there but cannot be read, by encoded path, with the reasons.
  private(set) var unreadable: [[UInt8]: String] = [:]

  /// Adds a path that the system refuses, unless nothing is there, or a link that leads out.
  mutating func addUnreadable(_ path: [UInt8], _ number: Int32) {
    guard ![ENOENT, ENOTDIR, ELOOP, EXDEV].contains(number) else { return }
    unreadable[Array(PhotoFile.encoded(path).utf8)] = String(cString: strerror(number))
  }

  /// Marks folders that may be disks which are no longer mounted, so that their items stay.
  ///
  /// There are two signs: a folder is empty and has another inode than at the last scan, or a mount point is gone.
  mutating func addUnmounted(since known: FolderContents, _ ids: @autoclosure () -> [String]) {
    let empty = known.inodes.keys.filter {
      inodes[$0] != known.inodes[$0] && folders[$0]?.isEmpty ?? false && files[$0]?.isEmpty ?? false
    }
    let gone = known.inodes.keys.filter { path in
      let parent = inodes[PhotoFile.parent(of: path)]
      return inodes[path] == nil && parent.map { $0.device != known.inodes[path]?.device } ?? false
    }
    let ids = empty.isEmpty && gone.isEmpty ? [] : ids()
    for path in empty + gone {
      let name = PhotoFile.encoded(path)
      guard ids.contains(where: { $0.hasPrefix(name + "/") }) else { continue }
      unreadable[Array(name.utf8)] = "it may be a disk that is not mounted. Its pictures stay."
      inodes[path] = known.inodes[path]
    }
  }

  /// Whether a picture may exist that no list has: it cannot be read, or a folder above it cannot. An id without a dot is the
  /// hash of a long path, which can be below any folder.
  func mayContain(_ id: String) -> Bool {
    !unreadable.isEmpty
      && (!id.contains(".")
        || unreadable.keys.contains { path in
          path.isEmpty || id.utf8.elementsEqual(path)
            || id.utf8.starts(with: path + [UInt8(ascii: "/")])
        })
  }
}

/// How folders differ from a strip.
struct FolderDiff {
  /// The files that are no items.
  var new: [PhotoFile] = []
  /// The items of the index whose files are gone.
  private(set) var gone: [PhotoIndex.Entry] = []
  /// The items that are not in the index, but whose files are the same. Those of them without a placeholder.
  private(set) var kept: [PhotoIndex.Entry] = []
  private(set) var withoutPlaceholder: [PhotoFile] = []
  /// Other items that are not in the index: those that may be there, and the ids of those whose files are gone.
  private(set) var stored: [PhotoKey: PhotoWriter.StoredPhoto] = [:]
  private(set) var removed: [String] = []
  /// The files that are no pictures and have not changed.
  private(set) var rejected: Set<PhotoKey> = []

  init() {}

  /// - Parameters:
  ///   - folders: those to compare.
  ///   - stored: the items that are not in the index.
  ///   - rejected: the files that are no pictures.
  /// - Complexity: one hash for each file that is not in the index.
  init(
    of contents: FolderContents, in folders: Set<[UInt8]>, from index: PhotoIndex,
    _ stored: [PhotoKey: PhotoWriter.StoredPhoto] = [:], without rejected: Set<PhotoKey>
  ) {
    var stored = stored
    for folder in folders {
      var before = index.entries(in: folder)
      for file in contents.files[folder] ?? [] {
        // The item of a file that has changed stays until the file is read.
        let earlier = before.removeValue(forKey: file.path)
        let isSame = earlier?.file == file
        let key = isSame ? earlier?.key : stored.isEmpty && rejected.isEmpty ? nil : file.key
        if let key, rejected.contains(key) {
          self.rejected.insert(key)
          gone += earlier.map { [$0] } ?? []
        } else if isSame {
          continue
        } else if let key, let item = stored[key],
          case let order = PhotoOrder(file, taken: item.taken), order.id == item.id
        {
          stored[key] = nil
          kept.append(PhotoIndex.Entry(file, key, order))
          if !item.hasPlaceholder { withoutPlaceholder.append(file) }
        } else {
          new.append(file)
        }
      }
      gone += before.values.filter { !contents.mayContain($0.order.id) }
    }
    for (key, item) in stored {
      if contents.mayContain(item.id) { self.stored[key] = item } else { removed.append(item.id) }
    }
  }
}
