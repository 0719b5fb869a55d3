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

  /// Why a file that is there cannot be opened.
  func problem(of file: PhotoFile) -> String? { problem(of: file.path, except: ENOENT) }

  private func problem(
    of path: [UInt8], _ flags: Int32 = 0, except ignored: Int32? = nil
  ) -> String? {
    let opened = open(path, flags)
    guard opened < 0 else {
      close(opened)
      return nil
    }
    return errno == ignored ? nil : reason(errno)
  }

  private func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

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

  /// Visits the folder and all below it, each once, and by its own path if it has one: links come last.
  ///
  /// - Parameter visit: lists a folder.
  func walk(_ visit: ([UInt8]) -> Listing) {
    var (pending, seen): ([[UInt8]], Set<Inode>) = ([[]], [])
    while let next = pending.popLast() {
      if let inode = inode(of: next), !seen.insert(inode).inserted { continue }
      guard case .listed(_, let folders, let links) = visit(next) else { continue }
      pending.insert(contentsOf: links, at: 0)
      pending += folders.keys.filter { !links.contains($0) }
    }
  }

  enum Listing {
    /// The pictures and the folders in it, the numbers that it has for these, and those that are links.
    case listed(files: [PhotoFile], folders: [[UInt8]: UInt], links: Set<[UInt8]>)
    /// It is gone, or a link that leads out.
    case missing
    /// It is there, but its content is unknown: the reason.
    case unreadable(String)
  }

  /// What is directly in a folder. Only names and status are read.
  func list(_ folder: [UInt8]) -> Listing {
    let descriptor = open(folder, O_DIRECTORY)
    guard descriptor >= 0 else {
      return [ENOENT, ENOTDIR, ELOOP, EXDEV].contains(errno) ? .missing : .unreadable(reason(errno))
    }
    guard let stream = fdopendir(descriptor) else {
      defer { close(descriptor) }
      return .unreadable(reason(errno))
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
      } else if kind == DT_LNK || kind == DT_UNKNOWN || PhotoFile.isPicture(name),
        let status = status(of: name, in: descriptor, at: path, isLink: kind == DT_LNK)
      {
        if status.st_mode & S_IFMT == S_IFDIR {
          folders[path] = number
          if kind == DT_LNK { links.insert(path) }
        } else if status.st_mode & S_IFMT == S_IFREG, PhotoFile.isPicture(name) {
          files.append(PhotoFile(path: path, status))
        }
      }
    }
    return errno == 0
      ? .listed(files: files, folders: folders, links: links) : .unreadable(reason(errno))
  }

  /// Nil if the entry is gone, or a link that leads out of the folder.
  private func status(of name: [UInt8], in folder: Int32, at path: [UInt8], isLink: Bool) -> stat? {
    var status = stat()
    guard isLink else {
      let name = name.map(CChar.init(bitPattern:)) + [0]
      return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }
    let opened = open(path, Descriptors.statusOnly)
    defer { close(opened) }
    return fstat(opened, &status) == 0 ? status : nil
  }
}
