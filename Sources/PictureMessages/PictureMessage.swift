// The messages between the server and `carousel-pictures`, the process that reads pictures.
import CDescriptors
import Glibc

/// A message: texts without zero bytes, and open files that come with it. On the socket, each text ends with a zero byte.
public struct PictureMessage {
  public var texts: [String]
  /// The descriptors. The receiver closes them.
  public var files: [Int32]

  public init(_ texts: [String], files: [Int32] = []) {
    self.texts = texts
    self.files = files
  }

  /// Bytes of the longest message.
  static let limit = 65_536

  /// Sends the message, and leaves its files open. Returns false if the other side is gone.
  public func send(to socket: Int32) -> Bool {
    var bytes: [UInt8] = []
    for text in texts {
      bytes += text.utf8
      bytes.append(0)
    }
    return descriptor_send(socket, bytes, bytes.count, files, Int32(files.count)) == 0
  }

  /// The next message. Nil if the other side is gone.
  ///
  /// - Parameter takesFiles: whether files that come with the message are opened here.
  public static func receive(from socket: Int32, takesFiles: Bool) -> PictureMessage? {
    let most = takesFiles ? DESCRIPTOR_LIMIT : 0
    var files = [Int32](repeating: -1, count: Int(most))
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, descriptor_receive(socket, buffer.baseAddress, limit, &files, Int32(most)))
    }
    guard !bytes.isEmpty else { return nil }
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
    return PictureMessage(
      texts.map { String(decoding: $0, as: UTF8.self) }, files: files.filter { $0 >= 0 })
  }
}

/// Sockets and files as the system opens them.
public enum Descriptors {
  /// Connected sockets that keep the ends of messages. Nil if the process may open no more files.
  public static func pair() -> (Int32, Int32)? {
    var sockets: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    return socketpair(AF_UNIX, kind, 0, &sockets) == 0 ? (sockets[0], sockets[1]) : nil
  }

  /// Opens a file below `folder`. -1 with `errno`: EXDEV if the path leads out of the folder.
  public static func open(_ path: [UInt8], below folder: Int32, _ flags: Int32) -> Int32 {
    descriptor_open_below(
      folder, (path.isEmpty ? [46] : path).map(CChar.init(bitPattern:)) + [0], flags)
  }

  /// An open file in memory. -1 with `errno`.
  public static func memory() -> Int32 { descriptor_memory() }

  /// The flag for a file of which only the status is read: `O_PATH`.
  public static var statusOnly: Int32 { DESCRIPTOR_PATH }
}

/// The operations of `carousel-pictures` on an open file, the most urgent first.
public enum PictureOperation: String, CaseIterable, Sendable {
  /// Writes the picture to a second file. The texts that follow are the width and the format.
  case make
  /// Reads the header.
  case header
  /// Reads the header, and makes a placeholder from the picture if the header has none.
  case placeholder
}

/// The formats of made pictures.
public enum PictureFormat: String, CaseIterable, Sendable {
  case jpeg, webp
}

/// The values in the header of a picture, as texts. A missing value is empty.
public struct PictureHeader: Equatable, Sendable {
  public enum Name: Int, CaseIterable, Sendable {
    /// In pixels, as shown: EXIF's orientation is applied.
    case width, height
    /// Such as "jpeg".
    case type
    /// EXIF's DateTimeOriginal, as `2024:05:01 12:00:00`, its offset, as `+02:00`, and EXIF's DateTime.
    case original, offset, changed
    case make, model, lens
    /// The placeholder that a card shows before its picture: the mean colour, as `#aabbcc`, and the thumbhash in base64.
    /// Both are of the picture that EXIF embeds, if there is one.
    case color, thumbhash
  }

  public private(set) var texts: [String]

  public init() { texts = Name.allCases.map { _ in "" } }

  /// The most pixels of a picture.
  public static let pixelLimit = 200_000_000

  /// Nil if `carousel-pictures` cannot have made these texts: a hostile picture may have taken it over. Long texts are cut.
  public init?(texts: [String]) {
    self.texts = texts.map { $0.utf8.count <= 256 ? $0 : String($0.unicodeScalars.prefix(256)) }
    guard texts.count == Name.allCases.count else { return nil }
    let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard min(width, height) > 0, !isTooLarge, pixels <= Self.pixelLimit,
      [.type, .color, .thumbhash].allSatisfy({ self[$0].utf8.allSatisfy(Self.isPlain) })
    else { return nil }
  }

  /// Whether a byte is a letter, a digit, or one of `#+/=`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    48...57 ~= byte || 97...122 ~= byte | 0x20 || "#+/=".utf8.contains(byte)
  }

  public subscript(name: Name) -> String {
    get { texts[name.rawValue] }
    set { texts[name.rawValue] = newValue }
  }

  public var width: Int { Int(self[.width]) ?? 0 }
  public var height: Int { Int(self[.height]) ?? 0 }

  public var hasPlaceholder: Bool { !self[.thumbhash].isEmpty }
}
