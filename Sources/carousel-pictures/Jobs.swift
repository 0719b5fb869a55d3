import CVips
import Glibc
import PictureMessages

/// Why a picture cannot be read.
struct PictureError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The first line of the last error of libvips.
  static var last: PictureError {
    let text = String(cString: picture_error())
    return PictureError(
      text.contains("operation is blocked") || text.contains("not in a known format")
        ? "it is not in a format that is read"
        : String(text.split(separator: "\n").first ?? "it cannot be read"))
  }
}

/// Does a job.
///
/// - Returns: the texts of the reply: "ok" and the result, or "error" and a message.
func run(_ job: PictureMessage) -> [String] {
  do throws(PictureError) {
    guard let operation = job.texts.first.flatMap(PictureOperation.init),
      let file = job.files.first
    else { throw PictureError("an unknown operation") }
    guard lseek(file, 0, SEEK_END) > 0 else { throw PictureError("it is empty") }
    var header = try header(of: file, decodesEmbedded: operation != .make)
    switch operation {
    case .header: return ["ok"] + header.texts
    case .placeholder:
      if !header.hasPlaceholder { try addPlaceholder(to: &header, file: file) }
      return ["ok"] + header.texts
    case .make:
      guard job.files.count == 2, job.texts.count == 3, let width = Int32(job.texts[1])
      else { throw PictureError("an unknown operation") }
      try make(file, width, job.texts[2], into: job.files[1])
      return ["ok"]
    }
  } catch {
    return ["error", error.reason]
  }
}

/// Reads the header of a picture.
private func header(of file: Int32, decodesEmbedded: Bool) throws(PictureError) -> PictureHeader {
  guard let picture = picture_open(file) else { throw PictureError.last }
  defer { picture_close(picture) }
  let (width, height) = (Int(picture_width(picture)), Int(picture_height(picture)))
  let pixels = width * height
  guard pixels <= PictureHeader.pixelLimit else {
    throw PictureError(
      "it has \(pixels / 1_000_000) megapixels; the limit is \(PictureHeader.pixelLimit / 1_000_000)"
    )
  }
  let isTurned = picture_orientation(picture) >= 5
  var header = PictureHeader()
  (header[.width], header[.height]) = (
    "\(isTurned ? height : width)", "\(isTurned ? width : height)"
  )
  let loader = text("vips-loader", of: picture).prefix { $0 != "_" }
  let isAVIF = text("heif-compression", of: picture) == "av1"
  header[.type] = isAVIF ? "avif" : String(loader.dropLast("load".count))
  let names: [(PictureHeader.Name, String, tag: Int)] = [
    (.original, "ifd2-DateTimeOriginal", 0x9003), (.offset, "ifd2-OffsetTimeOriginal", 0x9011),
    (.changed, "ifd0-DateTime", 0x0132), (.make, "ifd0-Make", 0x010F),
    (.model, "ifd0-Model", 0x0110), (.lens, "ifd2-LensModel", 0xA434),
  ]
  let texts = header[.type] == "tiff" ? tiffTexts(of: file) : nil
  for (name, exifName, tag) in names {
    header[name] = texts.map { $0[tag] ?? "" } ?? exif(exifName, of: picture)
  }
  let embedded = picture_embedded(picture)
  if decodesEmbedded, embedded.count > 0 { try? addPlaceholder(to: &header, of: embedded) }
  return header
}

private func text(_ name: String, of picture: OpaquePointer) -> String {
  picture_text(picture, name).map { String(cString: $0) } ?? ""
}

/// A value of EXIF. libvips writes `VALUE (VALUE, ASCII, 6 components, 6 bytes)`, and both values can have brackets.
private func exif(_ name: String, of picture: OpaquePointer) -> String {
  let text = text("exif-" + name, of: picture)
  let values = text.ranges(of: ", ASCII, ").last.map { text[..<$0.lowerBound] } ?? ""
  let value = values.prefix(max(0, values.count - 2) / 2)
  // libvips cuts long texts.
  return String(values == "\(value) (\(value)" ? value : text.split(separator: " (").first ?? "")
}

/// Adds the colour and the thumbhash of a file, or of an encoded picture.
private func addPlaceholder(
  to header: inout PictureHeader, file: Int32 = -1, of bytes: picture_bytes = picture_bytes()
) throws(PictureError) {
  var (width, height): (Int32, Int32) = (0, 0)
  let made = picture_pixels(file, bytes, 32, &width, &height)
  guard made.count > 0 else { throw PictureError.last }
  defer { picture_free(made) }
  let buffer = UnsafeBufferPointer(
    start: made.bytes.assumingMemoryBound(to: UInt8.self), count: made.count)
  let pixels = Pixels(width: Int(width), height: Int(height), bytes: buffer)
  header[.color] = hex(pixels.mean.color)
  header[.thumbhash] = base64(thumbhash(of: pixels))
}

private func hex(_ color: SIMD3<Double>) -> String {
  let bytes = (0..<3).map { Int((color[$0] * 255).rounded()) }
  return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// Writes the picture at a width to a file.
private func make(
  _ file: Int32, _ width: Int32, _ format: String, into target: Int32
) throws(PictureError) {
  let made = picture_make(
    file, width, format == PictureFormat.webp.rawValue ? PICTURE_WEBP : PICTURE_JPEG)
  guard made.count > 0 else { throw PictureError.last }
  defer { picture_free(made) }
  // The file is in memory, so only a lack of memory can make this fail.
  precondition(write(target, made.bytes, made.count) == made.count, "no memory is left")
}
