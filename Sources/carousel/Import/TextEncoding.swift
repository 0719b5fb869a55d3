import ArgumentParser
import Catalogue
import Foundation
import Items

/// The name of a character encoding that iconv of the C library knows: `utf-16`, `windows-1252`.
struct TextEncoding: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    // iconv takes a suffix such as //IGNORE for an instruction.
    guard !argument.isEmpty, argument.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
    else { return nil }
    name = argument
  }

  var isUTF8: Bool { ["utf-8", "utf8"].contains(name.lowercased()) }

  fileprivate var unitSize: Int {
    let name = name.lowercased()
    if name.hasPrefix("utf-16") || name.hasPrefix("utf16") || name.hasPrefix("ucs-2") { return 2 }
    return name.hasPrefix("utf-32") || name.hasPrefix("utf32") || name.hasPrefix("ucs-4") ? 4 : 1
  }
}

/// Converts text to UTF-8 with iconv of the C library.
///
/// A code unit that the encoding does not allow becomes the byte FF, which UTF-8 does not allow either.
/// So the reader rejects the record with its line.
final class CharacterDecoder {
  private let handle: iconv_t
  private let unitSize: Int
  /// The bytes of an incomplete character.
  private var rest: [UInt8] = []

  init(_ encoding: TextEncoding) throws(CatalogueError) {
    let failed = iconv_t(bitPattern: -1)
    guard let handle = iconv_open("UTF-8", encoding.name), handle != failed else {
      throw .invalid(
        "--encoding: this system does not know \(encoding.name); \"iconv --list\" lists its encodings"
      )
    }
    self.handle = handle
    unitSize = encoding.unitSize
  }

  deinit { iconv_close(handle) }

  /// - Parameter bytes: empty at the end.
  func decode(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else {
      defer { rest = [] }
      return pendingOutput() + (rest.isEmpty ? [] : [0xFF])
    }
    rest += bytes
    var text: [UInt8] = []
    var position = 0
    while position < rest.count {
      let error = convert(from: &position, to: &text)
      if error == EILSEQ {
        text.append(0xFF)
        position = min(position + unitSize, rest.count)
      } else if error == EINVAL {
        break
      }
    }
    rest.removeFirst(position)
    return text
  }

  /// The character that iconv holds until it knows whether an accent follows.
  private func pendingOutput() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { output, filled in
      var target = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
      var room = output.count
      iconv(handle, nil, nil, &target, &room)
      filled = output.count - room
    }
  }

  /// Converts as many bytes as possible; returns why it stopped, 0 at the end.
  private func convert(from position: inout Int, to text: inout [UInt8]) -> Int32 {
    var error: Int32 = 0
    let count = rest.count - position
    text += [UInt8](unsafeUninitializedCapacity: 3 * count + 16) { output, filled in
      rest.withUnsafeMutableBytes { input in
        var source = input.baseAddress.map { ($0 + position).assumingMemoryBound(to: CChar.self) }
        var target = UnsafeMutableRawPointer(output.baseAddress)?
          .assumingMemoryBound(to: CChar.self)
        var (left, room) = (count, output.count)
        if iconv(handle, &source, &left, &target, &room) == -1 { error = errno }
        position += count - left
        filled = output.count - room
      }
    }
    return error
  }
}
