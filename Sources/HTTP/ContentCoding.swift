/// How the bytes of an answer are packed on their way (RFC 9110 section 8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
  // In the order in which the server likes them.
  case brotli = "br"
  case gzip
  case identity
}

/// What packs bytes.
package protocol ContentEncoder: Sendable {
  /// `bytes` in `coding`; nil where that is not to be had. The same bytes each time, so that an
  /// entity tag can stand for them.
  func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]?
}

extension Request {
  /// The coding that the client weighs highest in `Accept-Encoding`, among equals the one that
  /// packs best; nil where it takes none, not even the bytes as they are (RFC 9110 section 12.5.3).
  package var bestCoding: ContentCoding? {
    guard let range = head.codings else { return .identity }
    var weights = CodingWeights()
    var lines = FieldLines(head, in: range)
    while let line = lines.next() {
      if line.name.spellsIgnoringCase("accept-encoding") { weights.take(line.value) }
    }
    return weights.best
  }
}

/// What `Accept-Encoding` says of each coding, in thousandths.
private struct CodingWeights {
  private var brotli: Int?
  private var gzip: Int?
  private var identity: Int?
  private var others: Int?

  mutating func take(_ list: Bytes) {
    var rest = list
    while !rest.isEmpty {
      let comma = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
      takeOne(rest[..<comma])
      rest = rest[comma...].dropFirst()
    }
  }

  var best: ContentCoding? {
    // What is not listed is not taken, but for the bytes as they are: these last of all.
    let ranks = [
      (ContentCoding.brotli, (brotli ?? others ?? 0) * 2),
      (.gzip, (gzip ?? others ?? 0) * 2),
      (.identity, identity.map { $0 * 2 } ?? (others == 0 ? 0 : 1)),
    ]
    var best = ranks[0]
    for rank in ranks where rank.1 > best.1 { best = rank }
    return best.1 > 0 ? best.0 : nil
  }

  private mutating func takeOne(_ element: Bytes) {
    let semicolon = element.firstIndex(of: UInt8(ascii: ";")) ?? element.endIndex
    let name = element[..<semicolon].trimmed
    let weight = Self.weight(element[semicolon...].dropFirst().trimmed)
    if name.spellsIgnoringCase("gzip") || name.spellsIgnoringCase("x-gzip") {
      gzip = weight
    } else if name.spellsIgnoringCase("br") {
      brotli = weight
    } else if name.spellsIgnoringCase("identity") {
      identity = weight
    } else if name.spells("*") {
      others = weight
    }
  }

  /// `q=0.5` as 500; 1000 where nothing is said, and 0 for what is no weight (RFC 9110 section 12.4.2).
  private static func weight(_ parameter: Bytes) -> Int {
    guard !parameter.isEmpty else { return 1000 }
    guard parameter.prefix(2).spellsIgnoringCase("q=") else { return 0 }
    let number = parameter.dropFirst(2)
    guard let whole = number.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"),
      number.count <= 5, number.count == 1 || number.dropFirst().first == UInt8(ascii: ".")
    else { return 0 }
    var weight = Int(whole - UInt8(ascii: "0")) * 1000
    var unit = 100
    for digit in number.dropFirst(2) {
      guard digit.isDigit else { return 0 }
      weight += Int(digit - UInt8(ascii: "0")) * unit
      unit /= 10
    }
    return weight > 1000 ? 0 : weight
  }
}
