import Cryptography
import Foundation
import Items
import PictureMessages

/// A folder of pictures. It is read only, and nothing outside of it is opened. It is open only while it is read, so that
/// its file system can be unmounted.
package struct PhotoFolder: Sendable {
  /// Absolute.
  package let path: String

  package init(at path: String) { self.path = URL(fileURLWithPath: path).standardizedFileURL.path }

  /// The name for people.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? "/" }

  /// A name for what is kept of it.
  package var cacheName: String {
    "\(name.prefix(40))-\(Digest(of: Array(path.utf8)).base64URL.prefix(12))"
  }

  /// The part of a path below the folder. Nil if the path is not in it. Links are followed; the last parts may be missing.
  package func part(of path: String) -> String? {
    var found = URL(fileURLWithPath: path).standardizedFileURL
    while access(found.path, F_OK) != 0, found.path != "/" { found.deleteLastPathComponent() }
    let own = URL(fileURLWithPath: self.path).resolvingSymlinksInPath().path
    let (root, other) = (own == "/" ? "" : own, found.resolvingSymlinksInPath().path)
    guard (other + "/").hasPrefix(root + "/") else { return nil }
    let rest = URL(fileURLWithPath: path).standardizedFileURL.path.dropFirst(found.path.count)
    return String(other.dropFirst(root.count)) + rest
  }

  /// What names a folder, whatever its path.
  struct Inode: Hashable {
    let device: UInt
    let number: UInt
  }

  /// Why the folder cannot be read. Nil if it can.
  package var problem: String? { problem(of: [], O_DIRECTORY) }

  func inode(of folder: [UInt8]) -> Inode? {
    let opened = open(folder, O_DIRECTORY)
    guard opened >= 0 else { return nil }
    defer { close(opened) }
    var status = stat()
    return fstat(opened, &status) == 0
      ? Inode(device: status.st_dev, number: status.st_ino) : nil
  }

  /// Opens a file for reading. Nil if it is gone, has changed, or its path leads out of the folder.
  func open(_ file: PhotoFile) -> Int32? {
    let opened = open(file.path)
    guard opened >= 0 else { return nil }
    var status = stat()
    if fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      PhotoFile(path: file.path, status) == file
    {
      return opened
    }
    close(opened)
    return nil
  }

  /// Whether all bytes of a file can be read now. Nil if it is gone or has changed. If it is not true, a failure says nothing
  /// about the picture. It blocks on the disk.
  func canRead(_ file: PhotoFile) -> Bool? {
    guard let opened = open(file) else { return nil }
    defer { close(opened) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(opened, &buffer, buffer.count)
      if count <= 0 { return count == 0 }
    }
  }

  /// Why a file that is there cannot be opened.
  ///
  /// - Parameter willRetry: if it is set, the result is nil if the process can open no file now.
  func problem(of file: PhotoFile, willRetry: Bool = false) -> String? {
    problem(of: file.path, except: willRetry ? [ENOENT, EMFILE, ENFILE, ENOMEM] : [ENOENT])
  }

  private func problem(
    of path: [UInt8], _ flags: Int32 = 0, except ignored: [Int32] = []
  ) -> String? {
    let opened = open(path, flags)
    guard opened < 0 else {
      close(opened)
      return nil
    }
    return ignored.contains(errno) ? nil : String(cString: strerror(errno))
  }

  /// Opens a path below the folder for reading. -1 with `errno` if it cannot be opened.
  private func open(_ path: [UInt8], _ flags: Int32 = 0) -> Int32 {
    let root = Glibc.open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { return -1 }
    let opened = Descriptors.open(path, below: root, O_RDONLY | flags)
    let number = errno
    close(root)
    errno = number
    return opened
  }

  /// What is in the folder and in all below it, each read once, and by its own path if it has one: links come last.
  ///
  /// - Parameter willList: is called with each folder before it is listed. Returns false to end.
  func contents(_ willList: ([UInt8]) -> Bool) -> FolderContents {
    var contents = FolderContents()
    var (pending, seen): ([[UInt8]], Set<Inode>) = ([[]], [])
    while let next = pending.popLast(), willList(next) {
      contents.inodes[next] = inode(of: next)
      if let inode = contents.inodes[next], !seen.insert(inode).inserted { continue }
      let links = list(next, into: &contents)
      pending.insert(contentsOf: links, at: 0)
      pending += (contents.folders[next] ?? [:]).keys.filter { !links.contains($0) }
    }
    return contents
  }

  /// Adds what is directly in a folder. Only names and status are read.
  ///
  /// - Returns: the folders in it that are links.
  @discardableResult
  func list(_ folder: [UInt8], into contents: inout FolderContents) -> Set<[UInt8]> {
    let descriptor = open(folder, O_DIRECTORY)
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      contents.addUnreadable(folder, errno)
      close(descriptor)
      return []
    }
    defer { closedir(stream) }
    var (files, folders): ([PhotoFile], [[UInt8]: UInt]) = ([], [:])
    var links: Set<[UInt8]> = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name.first != UInt8(ascii: ".") else { continue }
      let path = folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
      let (kind, number) = (Int32(entry.pointee.d_type), UInt(entry.pointee.d_ino))
      if kind == DT_DIR {
        folders[path] = number
      } else if kind == DT_LNK || kind == DT_UNKNOWN || PhotoFile.isPicture(name) {
        guard let status = status(of: name, in: descriptor, at: path, isLink: kind == DT_LNK) else {
          contents.addUnreadable(path, errno)
          continue
        }
        if status.st_mode & S_IFMT == S_IFDIR {
          folders[path] = number
          if kind == DT_LNK { links.insert(path) }
        } else if status.st_mode & S_IFMT == S_IFREG, PhotoFile.isPicture(name) {
          files.append(PhotoFile(path: path, status))
        }
      }
    }
    if errno != 0 { contents.addUnreadable(folder, errno) }
    (contents.files[folder], contents.folders[folder]) = (files, folders)
    return links
  }

  /// Nil with `errno` if the entry is gone, leads out of the folder, or cannot be read.
  private func status(of name: [UInt8], in folder: Int32, at path: [UInt8], isLink: Bool) -> stat? {
    var status = stat()
    guard isLink else {
      let name = name.map(CChar.init(bitPattern:)) + [0]
      return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }
    let opened = open(path, Descriptors.statusOnly)
    guard opened >= 0 else { return nil }
    defer { close(opened) }
    return fstat(opened, &status) == 0 ? status : nil
  }
}
