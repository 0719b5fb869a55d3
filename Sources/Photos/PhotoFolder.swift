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
  package var problem: String? { open([], O_RDONLY | O_DIRECTORY) { _ in true }.failure }

  func inode(of folder: [UInt8]) -> Inode? {
    open(folder, O_RDONLY | O_DIRECTORY) { inode($0) }.value
  }

  private func inode(_ descriptor: Int32) -> Inode? {
    var status = stat()
    return fstat(descriptor, &status) == 0
      ? Inode(device: status.st_dev, number: status.st_ino) : nil
  }

  /// Opens a file for reading. Nil if it is gone, has changed, or its path leads out of the folder.
  func open(_ file: PhotoFile) -> Int32? {
    open(file.path, O_RDONLY) { descriptor in
      var status = stat()
      let isSame =
        fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && PhotoFile(path: file.path, status) == file
      return isSame ? copy(descriptor) : nil
    }.value
  }

  /// Why a file that is there cannot be opened.
  func problem(of file: PhotoFile) -> String? {
    let opened = open(file.path, O_RDONLY) { _ in true }
    return if case .failed(ENOENT) = opened { nil } else { opened.failure }
  }

  private enum Opened<Value> {
    case value(Value?)
    /// With `errno`.
    case failed(Int32)

    var value: Value? { if case .value(let value) = self { value } else { nil } }
    var failure: String? {
      if case .failed(let number) = self { String(cString: strerror(number)) } else { nil }
    }
  }

  private func copy(_ descriptor: Int32) -> Int32? {
    let copied = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copied < 0 ? nil : copied
  }

  /// Opens a path below the folder for the time of `body`.
  private func open<Value>(
    _ path: [UInt8], _ flags: Int32, _ body: (Int32) -> Value?
  ) -> Opened<Value> {
    let root = Glibc.open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { return .failed(errno) }
    defer { close(root) }
    let opened = Descriptors.open(path, below: root, flags)
    guard opened >= 0 else { return .failed(errno) }
    defer { close(opened) }
    return .value(body(opened))
  }

  enum Listing {
    /// The pictures and the folders in it, and the numbers that it has for these.
    case listed(Inode, files: [PhotoFile], folders: [[UInt8]: UInt])
    /// It is gone, or a link that leads out.
    case missing
    /// It is there, but its content is unknown: the reason.
    case unreadable(String)
  }

  /// What is directly in a folder. Only names and status are read.
  func list(_ folder: [UInt8]) -> Listing {
    let opened = open(folder, O_RDONLY | O_DIRECTORY) { list($0, at: folder) }
    switch opened {
    case .value(let listing?): return listing
    case .failed(ENOENT), .failed(ENOTDIR), .failed(ELOOP), .failed(EXDEV): return .missing
    case .failed(let number): return .unreadable(String(cString: strerror(number)))
    case .value(nil): return .unreadable("it cannot be listed")
    }
  }

  private func list(_ descriptor: Int32, at folder: [UInt8]) -> Listing? {
    guard let inode = inode(descriptor), let copied = copy(descriptor),
      let stream = fdopendir(copied)
    else { return nil }
    defer { closedir(stream) }
    var (files, folders): ([PhotoFile], [[UInt8]: UInt]) = ([], [:])
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
        } else if status.st_mode & S_IFMT == S_IFREG, PhotoFile.isPicture(name) {
          files.append(PhotoFile(path: path, status))
        }
      }
    }
    return errno == 0 ? .listed(inode, files: files, folders: folders) : nil
  }

  /// Nil if the entry is gone, or a link that leads out of the folder.
  private func status(of name: [UInt8], in folder: Int32, at path: [UInt8], isLink: Bool) -> stat? {
    var status = stat()
    let isRead =
      isLink
      ? open(path, Descriptors.statusOnly) { fstat($0, &status) == 0 }.value ?? false
      : fstatat(folder, name.map(CChar.init(bitPattern:)) + [0], &status, AT_SYMLINK_NOFOLLOW) == 0
    return isRead ? status : nil
  }
}
