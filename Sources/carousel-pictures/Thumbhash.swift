import Glibc

/// Pixels of a small picture, four bytes each: red, green, blue and alpha.
struct Pixels {
  let width: Int
  let height: Int
  let bytes: UnsafeBufferPointer<UInt8>

  /// The mean colour in 0...1, in which each pixel counts by its alpha, and the sum of all alphas.
  var mean: (color: SIMD3<Double>, alpha: Double) {
    var color = SIMD3<Double>()
    var sum = 0.0
    for k in 0..<width * height {
      let (pixel, alpha) = self[k]
      color += pixel * alpha
      sum += alpha
    }
    return (sum > 0 ? color / sum : color, sum)
  }

  subscript(k: Int) -> (color: SIMD3<Double>, alpha: Double) {
    let color = SIMD3(Double(bytes[4 * k]), Double(bytes[4 * k + 1]), Double(bytes[4 * k + 2]))
    return (color / 255, Double(bytes[4 * k + 3]) / 255)
  }
}

/// Encodes a picture of at most 32 by 32 pixels in about 25 bytes: the lowest frequencies of its lightness, of two
/// differences of colours, and of its alpha.
///
/// Source: https://evanw.github.io/thumbhash/
func thumbhash(of pixels: Pixels) -> [UInt8] {
  let (width, height) = (pixels.width, pixels.height)
  let mean = pixels.mean
  let hasAlpha = mean.alpha < Double(width * height)
  let limit = hasAlpha ? 5.0 : 7.0
  let longest = Double(max(width, height))
  let columns = max(1, Int((limit * Double(width) / longest).rounded()))
  let rows = max(1, Int((limit * Double(height) / longest).rounded()))

  // Lightness, yellow to blue, red to green, alpha.
  var channels = [[Double]](repeating: [], count: 4)
  for k in 0..<width * height {
    let (pixel, alpha) = pixels[k]
    let color = mean.color * (1 - alpha) + pixel * alpha
    channels[0].append((color.x + color.y + color.z) / 3)
    channels[1].append((color.x + color.y) / 2 - color.z)
    channels[2].append(color.x - color.y)
    channels[3].append(alpha)
  }
  func frequencies(_ channel: Int, _ columns: Int, _ rows: Int) -> Frequencies {
    Frequencies(of: channels[channel], width: width, height: height, columns: columns, rows: rows)
  }
  let lightness = frequencies(0, max(3, columns), max(3, rows))
  let yellow = frequencies(1, 3, 3)
  let red = frequencies(2, 3, 3)
  let alpha = hasAlpha ? frequencies(3, 5, 5) : nil

  func level(_ value: Double, upTo limit: Double) -> Int { Int((limit * value).rounded()) }
  let isLandscape = width > height
  let head =
    level(lightness.constant, upTo: 63) | level(0.5 + 0.5 * yellow.constant, upTo: 63) << 6
    | level(0.5 + 0.5 * red.constant, upTo: 63) << 12 | level(lightness.scale, upTo: 31) << 18
    | (hasAlpha ? 1 << 23 : 0)
  let scales =
    (isLandscape ? rows : columns) | level(yellow.scale, upTo: 63) << 3 | level(red.scale, upTo: 63)
    << 9
    | (isLandscape ? 1 << 15 : 0)
  var hash = [head, head >> 8, head >> 16, scales, scales >> 8].map { UInt8($0 & 255) }
  if let alpha {
    hash.append(UInt8(level(alpha.constant, upTo: 15) | level(alpha.scale, upTo: 15) << 4))
  }
  let terms = [lightness, yellow, red, alpha].compactMap { $0 }.flatMap(\.terms).map {
    UInt8(level($0, upTo: 15))
  }
  for k in stride(from: 0, to: terms.count, by: 2) {
    hash.append(terms[k] | (k + 1 < terms.count ? terms[k + 1] << 4 : 0))
  }
  return hash
}

/// The lowest frequencies of a channel, by a cosine transform: their mean, and the others by row, scaled to 0...1.
private struct Frequencies {
  var constant = 0.0
  var terms: [Double] = []
  /// The largest of the others.
  var scale = 0.0

  init(of channel: [Double], width: Int, height: Int, columns: Int, rows: Int) {
    func cosines(_ count: Int, _ frequency: Int) -> [Double] {
      (0..<count).map { cos(Double.pi / Double(count) * Double(frequency) * (Double($0) + 0.5)) }
    }
    for row in 0..<rows {
      let down = cosines(height, row)
      for column in 0..<columns where column * rows < columns * (rows - row) {
        let across = cosines(width, column)
        var sum = 0.0
        for y in 0..<height {
          sum += down[y] * zip(channel[(y * width)...], across).reduce(0) { $0 + $1.0 * $1.1 }
        }
        terms.append(sum / Double(width * height))
      }
    }
    constant = terms.removeFirst()
    scale = terms.map(abs).max() ?? 0
    if scale > 0 { terms = terms.map { 0.5 + 0.5 / scale * $0 } }
  }
}

/// RFC 4648, section 4, without padding.
func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for k in 0...group.count { text.append(digits[bits >> (18 - 6 * k) & 63]) }
  }
  return text
}
