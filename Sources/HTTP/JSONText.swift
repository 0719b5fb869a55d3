/// A text as a JSON string, quoted and escaped (RFC 8259 section 7); also what ends a line elsewhere,
/// turns the direction of writing or tells a terminal what to do.
struct JSONText: CustomStringConvertible {
  let description: String

  init(_ text: String) {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where Self.isUnseen(scalar):
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
          let digits = String(unit, radix: 16)
          json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: json.unicodeScalars.append(scalar)
      }
    }
    description = json + "\""
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
