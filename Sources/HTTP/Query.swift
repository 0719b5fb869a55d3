/// The parameters of a request: `name=value` pairs, decoded, in the order sent, those with an empty
/// value among them.
///
///     for (name, value) in try Query(request) { ... }
///
/// - Complexity: one pass and one allocation; what needs no decoding stays in the head's memory.
package struct Query: Sendable {
  /// A parameter's name and value, decoded.
  package typealias Pair = (name: Bytes, value: Bytes)

  /// Where the parts of a pair are in the text: in plain numbers, so that nothing is counted for each.
  private struct Place {
    let name: Range<Int>
    let value: Range<Int>
  }

  private let text: Bytes
  private let places: [Place]

  /// The parameters of `request`, whatever their names.
  ///
  /// - Throws: a 400 that names the parameter whose encoding is broken.
  package init(_ request: Request) throws(Problem) {
    try self.init(request.rawQuery)
  }

  /// Pairs that are decoded already.
  package init(_ pairs: [Pair]) {
    var text: [UInt8] = []
    let places = pairs.map { pair in
      let start = text.count
      text += pair.name
      let middle = text.count
      text += pair.value
      return Place(name: start..<middle, value: middle..<text.count)
    }
    self.init(text: text[...], places: places)
  }

  init(_ raw: Bytes) throws(Problem) {
    let (places, isPlain) = Self.places(in: raw)
    if isPlain {
      self.init(text: raw, places: places)
    } else {
      var pairs: [Pair] = []
      for place in places { pairs.append(try Self.decoded(raw[place.name], raw[place.value])) }
      self.init(pairs)
    }
  }

  private init(text: Bytes, places: [Place]) {
    self.text = text
    self.places = places
  }

  /// Where the pairs of `raw` are, and whether its bytes say what they are as they stand.
  private static func places(in raw: Bytes) -> (places: [Place], isPlain: Bool) {
    var places: [Place] = []
    if !raw.isEmpty { places.reserveCapacity(8) }
    let origin = raw.startIndex
    let isPlain = raw.withUnsafeBufferPointer { bytes in
      var isPlain = true
      var start = 0
      while start < bytes.count {
        var end = start
        var equals: Int?
        while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
          switch bytes[end] {
          case UInt8(ascii: "="): if equals == nil { equals = end }
          case UInt8(ascii: "%"), UInt8(ascii: "+"), 0, 0x80...: isPlain = false
          default: break
          }
          end &+= 1
        }
        if end > start {
          let name = equals ?? end
          let value = equals.map { $0 &+ 1 } ?? end
          places.append(
            Place(
              name: start &+ origin..<name &+ origin, value: value &+ origin..<end &+ origin))
        }
        start = end &+ 1
      }
      return isPlain
    }
    return (places, isPlain)
  }

  private static func decoded(_ name: Bytes, _ value: Bytes) throws(Problem) -> Pair {
    guard let decodedName = name.percentDecoded(plusIsSpace: true),
      let decodedValue = value.percentDecoded(plusIsSpace: true)
    else {
      throw .badParameter(name.text, "The parameter is not percent-encoded UTF-8.")
    }
    return (decodedName, decodedValue)
  }
}

extension Query: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  package subscript(index: Int) -> Pair {
    let place = places[index]
    return (text[place.name], text[place.value])
  }

  /// The value of the pair at `index`.
  package func value(at index: Int) -> Bytes { text[places[index].value] }

  /// Calls `body` with the name of the pair at `index`, for as long as that takes.
  package func withName<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let name = places[index].name
    let origin = text.startIndex
    return text.withUnsafeBufferPointer { text in
      body(UnsafeBufferPointer(rebasing: text[name.lowerBound - origin..<name.upperBound - origin]))
    }
  }
}
