private import Glibc
import Items
package import Windowing

/// Writes the JSON of a response into one growing buffer. It does not check the grammar.
///
/// - Complexity: O(bytes) for each value, and one check of the capacity.
struct JSONWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var next: UnsafeMutablePointer<UInt8>
  private var end: UnsafeMutablePointer<UInt8>

  init(capacity: Int = 8192) {
    start = Self.memory(capacity)
    next = start
    end = start + capacity
  }

  deinit { free(start) }

  /// `malloc` is faster than `allocate`, which aligns the memory.
  private static func memory(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    guard let memory = malloc(capacity) else { fatalError("There is no memory for a response.") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }

  /// The JSON so far, as a copy without spare capacity, because it may be cached.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  var count: Int { next - start }

  @inline(__always)
  private mutating func reserve(_ count: Int) {
    if end - next < count { grow(by: count) }
  }

  @inline(never)
  private mutating func grow(by count: Int) {
    let capacity = max(2 * (end - start), self.count + count)
    let larger = Self.memory(capacity)
    larger.update(from: start, count: self.count)
    next = larger + self.count
    free(start)
    start = larger
    end = larger + capacity
  }

  @inline(__always)
  mutating func literal(_ text: StaticString) {
    // The memory of a static string is valid as long as the program runs.
    json(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func json(_ json: UnsafeRawBufferPointer) {
    guard let bytes = json.baseAddress else { return }
    reserve(json.count)
    memcpy(next, bytes, json.count)
    next += json.count
  }

  mutating func json(_ json: some Sequence<UInt8>) {
    if json.withContiguousStorageIfAvailable({ self.json(UnsafeRawBufferPointer($0)) }) == nil {
      for byte in json { append(byte) }
    }
  }

  @inline(__always)
  mutating func integer(_ value: Int) { digits(of: value.magnitude, isNegative: value < 0) }

  /// A length in px, as an exact decimal without exponent or trailing zeros.
  @inline(__always)
  mutating func length(_ length: Length) {
    let units = length.units.magnitude
    digits(of: UInt(units / 64), isNegative: length.units < 0)
    if units % 64 > 0 { fraction(units % 64) }
  }

  @inline(__always)
  private mutating func digits(of magnitude: UInt, isNegative: Bool) {
    reserve(24)
    if isNegative {
      next.pointee = UInt8(ascii: "-")
      next += 1
    }
    next = DecimalDigits.write(UInt64(magnitude), to: next)
  }

  /// 1/64ths as decimal digits after a point. 1/64 is 0.015625, so six digits are exact.
  @inline(never)
  private mutating func fraction(_ units: UInt64) {
    var fraction = units * 15_625
    append(UInt8(ascii: "."))
    var unit: UInt64 = 100_000
    while fraction > 0 {
      append(UInt8(ascii: "0") + UInt8(fraction / unit))
      fraction %= unit
      unit /= 10
    }
  }

  /// A member of the open object. Writes a comma before it, unless it is the first.
  @inline(__always)
  mutating func member(_ name: StaticString, _ value: some JSONValue) {
    key(name)
    value.write(to: &self)
  }

  mutating func list<Element>(
    _ name: StaticString, _ elements: some Sequence<Element>,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    literal("[")
    list(elements, write)
    literal("]")
  }

  @inline(__always)
  mutating func key(_ name: StaticString) {
    if next[-1] != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    literal(name)
    literal("\":")
  }

  /// A string in quotes. Escapes only what RFC 8259 section 7 requires.
  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  mutating func string(_ text: UnsafeRawBufferPointer) {
    guard text.endOfPlainText(from: 0) == text.count else { return escaped(text) }
    append(UInt8(ascii: "\""))
    json(text)
    append(UInt8(ascii: "\""))
  }

  /// The elements of a list, separated by commas.
  mutating func list<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    var first = true
    for element in elements {
      comma(unless: &first)
      write(&self, element)
    }
  }

  @inline(__always)
  mutating func comma(unless first: inout Bool) {
    if !first { append(UInt8(ascii: ",")) }
    first = false
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    reserve(1)
    next.pointee = byte
    next += 1
  }

  @inline(never)
  private mutating func escaped(_ text: UnsafeRawBufferPointer) {
    var escaped = JSONText()
    escaped.string(text)
    json(escaped.bytes)
  }
}

/// A value that has one form in JSON.
protocol JSONValue {
  func write(to json: inout JSONWriter)
}

extension Int: JSONValue {
  @inline(__always)
  func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Length: JSONValue {
  @inline(__always)
  func write(to json: inout JSONWriter) { json.length(self) }
}

extension Bool: JSONValue {
  func write(to json: inout JSONWriter) {
    if self { json.literal("true") } else { json.literal("false") }
  }
}

extension String: JSONValue {
  func write(to json: inout JSONWriter) { json.string(self) }
}

extension Optional: JSONValue where Wrapped: JSONValue {
  func write(to json: inout JSONWriter) {
    if let self { self.write(to: &json) } else { json.literal("null") }
  }
}
