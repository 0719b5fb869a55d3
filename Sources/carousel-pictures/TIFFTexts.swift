import Glibc

/// The texts in the header of a TIFF file, by their tags. They include the texts of EXIF. libvips reads neither from TIFF.
///
/// Source: TIFF 6.0, section 2, and EXIF 2.32, section 4.6
func tiffTexts(of file: Int32) -> [Int: String] {
  func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) {
      $1 = max(0, pread(file, $0.baseAddress, count, offset))
    }
  }
  let start = bytes(at: 0, 8)
  let isLittleEndian = start.first == UInt8(ascii: "I")
  func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
    let digits = isLittleEndian ? Array(bytes.reversed()) : Array(bytes)
    return digits.reduce(0) { $0 << 8 | Int($1) }
  }
  var texts: [Int: String] = [:]
  // The first directory, and then the directory of EXIF, whose offset it has.
  var directories = [number(start.dropFirst(4))]
  for depth in 0..<2 where depth < directories.count {
    let directory = directories[depth]
    let entries = bytes(at: directory + 2, 12 * min(number(bytes(at: directory, 2)), 1000))
    for offset in stride(from: 0, to: entries.count - 11, by: 12) {
      let entry = entries[offset..<offset + 12]
      let (tag, count) = (number(entry.prefix(2)), number(entry.dropFirst(4).prefix(4)))
      let value = number(entry.suffix(4))
      if tag == 0x8769 { directories.append(value) }
      guard number(entry.dropFirst(2).prefix(2)) == 2 else { continue }
      let text =
        count > 4 ? bytes(at: value, min(count, 256)) : Array(entry.suffix(4).prefix(count))
      texts[tag] = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
  return texts
}
