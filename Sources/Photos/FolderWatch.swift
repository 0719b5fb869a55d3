import Glibc

/// The changes in folders, from inotify. One thread uses it.
struct FolderWatch: ~Copyable {
  private let descriptor: Int32
  /// The folders by the numbers of their watches.
  private var folders: [Int32: [UInt8]] = [:]
  private let root: String

  /// Nil if the system has no watches left.
  init?(below root: String) {
    self.root = root
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  private static let events =
    IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE
    | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK

  /// Watches a folder below the root. Returns false if the system has no watches left, or has none for this file system.
  mutating func add(_ folder: [UInt8]) -> Bool {
    let path = (Array(root.utf8) + [UInt8(ascii: "/")] + folder).map(CChar.init(bitPattern:)) + [0]
    let number = inotify_add_watch(descriptor, path, UInt32(Self.events))
    guard number >= 0 else { return errno == ENOENT || errno == ENOTDIR || errno == EACCES }
    folders[number] = folder
    return true
  }

  /// Watches no folders but these.
  mutating func keep(_ kept: [[UInt8]: some Any]) {
    for (number, folder) in folders where kept[folder] == nil {
      inotify_rm_watch(descriptor, number)
      folders[number] = nil
    }
  }

  /// Waits for changes for at most `milliseconds`, and returns the folders that have changed. Nil if changes were lost.
  mutating func changes(within milliseconds: Int32) -> Set<[UInt8]>? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return [] }
    var (changed, isLost): (Set<[UInt8]>, Bool) = ([], false)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return isLost ? nil : changed }
      var offset = 0
      while offset < count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        }
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
        let isRoot = folders[event.wd] == []
        isLost =
          isLost || event.mask & UInt32(IN_Q_OVERFLOW | IN_UNMOUNT) != 0
          || isRoot && event.mask & UInt32(IN_MOVE_SELF | IN_IGNORED) != 0
        if let folder = folders[event.wd] { changed.insert(folder) }
        if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
      }
    }
  }
}
