/// A content coding: how the bytes of a response are compressed (RFC 9110 section 8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip
  case identity
}

/// Compresses responses.
package protocol ContentEncoder: Sendable {
  /// Encodes `bytes` in `coding`. Nil if that fails.
  ///
  /// It is deterministic, so that an entity tag can identify the result.
  func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]?
}

extension Request {
  /// The coding with the highest weight in `Accept-Encoding` (RFC 9110 section 12.5.3).
  ///
  /// Among equal weights brotli comes before gzip, and gzip before identity. Nil if the client accepts
  /// no coding that the server has.
  var bestCoding: ContentCoding? {
    guard let range = head.acceptEncodingLines else { return .identity }
    var weights = CodingWeights()
    var lines = FieldLines(head, in: range)
    while let line = lines.next() {
      if line.name.equalsIgnoringCase("accept-encoding") { weights.append(line.value) }
    }
    return weights.best
  }
}

/// The weights of the codings in `Accept-Encoding`, in thousandths.
private struct CodingWeights {
  private var brotli: Int?
  private var gzip: Int?
  private var identity: Int?
  private var others: Int?

  /// Adds the codings of a comma-separated list.
  mutating func append(_ list: Bytes) {
    var rest = list
    while !rest.isEmpty {
      let comma = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
      appendElement(rest[..<comma])
      rest = rest[comma...].dropFirst()
    }
  }

  var best: ContentCoding? {
    // A coding that is not listed is not accepted. Only identity is, with the lowest rank.
    let ranks = [
      (ContentCoding.brotli, (brotli ?? others ?? 0) * 2),
      (.gzip, (gzip ?? others ?? 0) * 2),
      (.identity, identity.map { $0 * 2 } ?? (others == 0 ? 0 : 1)),
    ]
    var best = ranks[0]
    for rank in ranks where rank.1 > best.1 { best = rank }
    return best.1 > 0 ? best.0 : nil
  }

  private mutating func appendElement(_ element: Bytes) {
    let semicolon = element.firstIndex(of: UInt8(ascii: ";")) ?? element.endIndex
    let name = element[..<semicolon].trimmed
    let weight = Self.weight(element[semicolon...].dropFirst().trimmed)
    if name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip") {
      gzip = weight
    } else if name.equalsIgnoringCase("br") {
      brotli = weight
    } else if name.equalsIgnoringCase("identity") {
      identity = weight
    } else if name.equals("*") {
      others = weight
    }
  }

  /// `q=0.5` as 500. 1000 for no parameter, 0 for a malformed weight (RFC 9110 section 12.4.2).
  private static func weight(_ parameter: Bytes) -> Int {
    guard !parameter.isEmpty else { return 1000 }
    guard parameter.prefix(2).equalsIgnoringCase("q=") else { return 0 }
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
