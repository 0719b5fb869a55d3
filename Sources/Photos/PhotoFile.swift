import Cryptography
package import Glibc
import HTTP
import Items

/// The first half of a SHA-256, as 32 hexadecimal digits.
package struct PhotoKey: Hashable, Sendable, CustomStringConvertible {
  private let number: UInt128

  fileprivate init(_ digest: Digest) {
    number = digest.bytes.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Nil if the text is not 32 lower-case digits.
  package init?(_ text: some StringProtocol) {
    guard let number = UInt128(text, radix: 16) else { return nil }
    self.number = number
    guard text == description else { return nil }
  }

  package var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// A picture in a folder, as its name and its status say. Nothing has read it.
package struct PhotoFile: Hashable, Sendable {
  /// Below the folder, without a first slash. File systems do not say which encoding it has.
  package let path: [UInt8]
  package let size: Int
  /// The time of change, in seconds since 1970, and its nanoseconds. File systems say any number.
  package let modified: Int
  private let nanoseconds: Int

  package init(path: [UInt8], _ status: stat) {
    self.path = path
    size = Int(status.st_size)
    (modified, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }

  /// The endings of names of pictures, in lower case.
  private static let endings: Set<String> = [
    "jpg", "jpeg", "png", "webp", "gif", "avif", "heic", "heif", "tif", "tiff",
  ]

  /// Whether a file of this name counts as a picture.
  static func isPicture(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    let ending = name[name.index(after: dot)...]
    return ending.count <= 4
      && endings.contains(String(decoding: ending, as: UTF8.self).lowercased())
  }

  /// Names the content: another picture at the same path has another key.
  package var key: PhotoKey {
    var named = path
    for number in [size, modified &* 1_000_000_000 &+ nanoseconds] {
      withUnsafeBytes(of: number.littleEndian) { named += $0 }
    }
    return PhotoKey(Digest(of: named))
  }

  /// The id of the item: the path. A longer one than ids may be is replaced by its SHA-256.
  package var id: String {
    let id = Self.encoded(path)
    return id.utf8.count <= 256 ? id : Digest(of: path).base64URL
  }

  /// A path as text that names it: bytes that are no UTF-8, control characters and `%` are percent-encoded.
  static func encoded(_ path: [UInt8]) -> String {
    text(path) { $0 == "%" || $0.value < 0x20 || 0x7f...0x9f ~= $0.value }
  }

  /// The path in an address.
  var address: String { path.percentEncoded(keeping: "/") }

  /// The path of the folder it is in.
  var parent: [UInt8] { Self.parent(of: path) }

  static func parent(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? []
  }

  /// The name of the file, without its ending.
  package var title: String {
    let name = path.split(separator: UInt8(ascii: "/")).last ?? []
    let end = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return Self.text(name[..<end])
  }

  /// The path of its folder. Empty for the folder itself.
  package var folder: String { Self.text(parent) }

  /// The first folder of the path.
  package var album: String {
    Self.text(parent.prefix { $0 != UInt8(ascii: "/") })
  }

  /// The bytes as text. Those that are no UTF-8 are percent-encoded, and those that `isEncoded` names.
  private static func text(
    _ bytes: some Sequence<UInt8>, isEncoded: (Unicode.Scalar) -> Bool = { _ in false }
  ) -> String {
    var (text, rest) = ("", Array(bytes)[...])
    // Nearly all names are text as a whole.
    if let text = String(validating: rest, as: UTF8.self),
      !text.unicodeScalars.contains(where: isEncoded)
    {
      return text
    }
    while !rest.isEmpty {
      let character = (1...min(4, rest.count)).lazy.compactMap { count in
        String(validating: rest.prefix(count), as: UTF8.self)
      }.first
      let count = character?.utf8.count ?? 1
      text +=
        character.flatMap { $0.unicodeScalars.contains(where: isEncoded) ? nil : $0 }
        ?? rest.prefix(count).map(\.percentEncoded).joined()
      rest = rest.dropFirst(count)
    }
    return text
  }
}
