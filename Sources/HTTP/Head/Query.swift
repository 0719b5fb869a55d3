private import Glibc

/// The parameters of a request: `name=value` pairs in the order sent, percent-decoded.
///
///     for (name, value) in try Query(request) { ... }
///
/// - Complexity: one pass and one allocation. Text without escapes stays in the head's memory.
package struct Query: Sendable {
  package typealias Pair = (name: Bytes, value: Bytes)

  /// The positions of a pair in the text. Integers, unlike slices, need no reference counting.
  private struct PairRange {
    let name: Range<Int>
    let value: Range<Int>
  }

  private let text: Bytes
  private let ranges: [PairRange]

  /// - Parameter name: a parameter whose value is ignored and replaced by an empty value.
  /// - Throws: a 400 that names the parameter with malformed percent-encoding.
  package init(_ request: Request, ignoring name: StaticString? = nil) throws(Problem) {
    try self.init(request.rawQuery, ignoring: name)
  }

  package init(_ pairs: [Pair]) {
    var text: [UInt8] = []
    let ranges = pairs.map { pair in
      let start = text.count
      text += pair.name
      let middle = text.count
      text += pair.value
      return PairRange(name: start..<middle, value: middle..<text.count)
    }
    self.text = text[...]
    self.ranges = ranges
  }

  init(_ raw: Bytes, ignoring name: StaticString? = nil) throws(Problem) {
    let (ranges, isPlain) = Self.ranges(in: raw)
    if isPlain {
      text = raw
      self.ranges = ranges
    } else {
      self = Query(
        try ranges.map { range throws(Problem) in
          let isIgnored = name.map { raw[range.name].equals($0) } ?? false
          guard let name = raw[range.name].percentDecoded(plusIsSpace: true),
            let value = (isIgnored ? [] : raw[range.value]).percentDecoded(plusIsSpace: true)
          else {
            throw .badParameter(
              raw[range.name].text,
              "The parameter is not percent-encoded UTF-8 without NUL characters.")
          }
          return (name, value)
        })
    }
  }

  /// The positions of the pairs in `raw`, and whether no pair needs decoding.
  private static func ranges(in raw: Bytes) -> (ranges: [PairRange], isPlain: Bool) {
    var ranges: [PairRange] = []
    if !raw.isEmpty { ranges.reserveCapacity(8) }
    let origin = raw.startIndex
    let isPlain = raw.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end =
          bytes.position(of: UInt8(ascii: "&"), in: start..<bytes.count) ?? bytes.count
        if end > start {
          let equals = bytes.position(of: UInt8(ascii: "="), in: start..<end)
          let value = equals.map { $0 &+ 1 } ?? end
          ranges.append(
            PairRange(
              name: start &+ origin..<(equals ?? end) &+ origin,
              value: value &+ origin..<end &+ origin))
        }
        start = end &+ 1
      }
      return bytes.hasNone {
        $0.marks(UInt8(ascii: "%")) | $0.marks(UInt8(ascii: "+")) | $0.marks(0) | $0
      }
    }
    return (ranges, isPlain)
  }
}

extension Query: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { ranges.count }

  package subscript(index: Int) -> Pair {
    let range = ranges[index]
    return (text[range.name], text[range.value])
  }

  package func firstIndex(named name: StaticString) -> Int? {
    let (count, origin) = (name.utf8CodeUnitCount, text.startIndex)
    return text.withUnsafeBytes { text in
      guard let start = text.baseAddress else { return nil }
      return ranges.firstIndex { range in
        range.name.count == count
          && memcmp(start + (range.name.lowerBound - origin), name.utf8Start, count) == 0
      }
    }
  }
}
