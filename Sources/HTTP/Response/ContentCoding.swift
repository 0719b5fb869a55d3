/// A content coding: how the bytes of a response are compressed (RFC 9110 section 8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip
  case identity

  static let fastest = [gzip, brotli]
  package static let smallest = [brotli, gzip]
}

package protocol ContentEncoder: Sendable {
  /// Nil if that fails. The result is deterministic, so that an entity tag can identify it.
  func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]?
}

/// The weights of the codings in `Accept-Encoding`, in thousandths. Nil for a coding that is not listed.
package struct AcceptedCodings {
  private var brotli: Int?
  private var gzip: Int?
  private var identity: Int?
  private var others: Int?

  /// The coding with the highest weight. Nil if the client accepts none of them.
  ///
  /// - Parameter preference: the server's codings. Among equal weights the first one is best. Identity
  ///   comes after them, and needs no weight.
  package func best(of preference: [ContentCoding]) -> ContentCoding? {
    var best: ContentCoding?
    var bestRank = 0
    for coding in preference where rank(coding) > bestRank {
      best = coding
      bestRank = rank(coding)
    }
    return rank(.identity) > bestRank ? .identity : best
  }

  func allows(_ coding: ContentCoding) -> Bool { rank(coding) > 0 }

  /// The rank of a coding: twice its weight; 1 for identity if it is neither listed nor excluded.
  private func rank(_ coding: ContentCoding) -> Int {
    switch coding {
    case .brotli: (brotli ?? others ?? 0) * 2
    case .gzip: (gzip ?? others ?? 0) * 2
    case .identity: identity.map { $0 * 2 } ?? (others == 0 ? 0 : 1)
    }
  }

  /// Adds the codings of a comma-separated list.
  mutating func append(_ list: Bytes) {
    list.withUnsafeBufferPointer { list in
      var rest = list[...]
      while !rest.isEmpty {
        let element = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[element.endIndex...].dropFirst()
        let name = element.prefix { $0 != UInt8(ascii: ";") }
        append(name.trimmed, element[name.endIndex...].dropFirst().trimmed.weight)
      }
    }
  }

  private mutating func append(_ name: UnsafeBytes, _ weight: Int) {
    if name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip") {
      gzip = weight
    } else if name.equalsIgnoringCase("br") {
      brotli = weight
    } else if name.equalsIgnoringCase("identity") {
      identity = weight
    } else if name.equalsIgnoringCase("*") {
      others = weight
    }
  }
}

extension UnsafeBytes {
  /// `q=0.5` as 500. 1000 for no parameter, 0 for a malformed weight (RFC 9110 section 12.4.2).
  var weight: Int {
    guard !isEmpty else { return 1000 }
    guard prefix(2).equalsIgnoringCase("q=") else { return 0 }
    let number = dropFirst(2)
    guard let whole = number.first, whole.isDigit, number.count <= 5,
      number.count == 1 || number.dropFirst().first == UInt8(ascii: ".")
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
