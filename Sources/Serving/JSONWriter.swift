import Catalogue
private import Glibc
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

  /// Reserves `count` bytes once. `body` may write at most as many bytes without checks.
  @inline(__always)
  mutating func write(atMost count: Int, _ body: (inout Unchecked) -> Void) {
    if end - next < count { grow(by: count) }
    var json = Unchecked(at: next)
    body(&json)
    precondition(json.next - next <= count, "`body` wrote more bytes than it announced.")
    next = json.next
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
    write(atMost: text.utf8CodeUnitCount) { $0.literal(text) }
  }

  @inline(__always)
  mutating func json(_ json: UnsafeRawBufferPointer) {
    write(atMost: json.count) { $0.json(json) }
  }

  mutating func json(_ json: ArraySlice<UInt8>) {
    json.withUnsafeBytes { self.json($0) }
  }

  @inline(__always)
  mutating func integer(_ value: Int) {
    write(atMost: Unchecked.numberCount) { $0.integer(value) }
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
    let isFirst = next[-1] == UInt8(ascii: "{")
    write(atMost: name.utf8CodeUnitCount + 4) { json in
      if !isFirst { json.byte(UInt8(ascii: ",")) }
      json.byte(UInt8(ascii: "\""))
      json.literal(name)
      json.literal("\":")
    }
  }

  /// A string in quotes. Escapes only what RFC 8259 section 7 requires.
  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  mutating func string(_ text: UnsafeRawBufferPointer) {
    guard Self.isPlain(text) else { return escaped(text) }
    append(UInt8(ascii: "\""))
    json(text)
    append(UInt8(ascii: "\""))
  }

  mutating func slot(_ slot: Slot, kinds: KindNames.Unsafe) {
    let kind = kinds[Int(slot.kind.number)]
    write(atMost: kind.count + Unchecked.numberCount + 3) { json in
      json.byte(UInt8(ascii: "\""))
      json.json(kind)
      json.byte(UInt8(ascii: "-"))
      json.integer(slot.number)
      json.byte(UInt8(ascii: "\""))
    }
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
    write(atMost: 1) { $0.byte(byte) }
  }

  /// Whether no byte needs escaping.
  @inline(__always)
  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    text.endOfPlainText(from: 0) == text.count
  }

  @inline(never)
  private mutating func escaped(_ text: UnsafeRawBufferPointer) {
    var escaped = JSONText()
    escaped.string(text)
    json(escaped.bytes[...])
  }
}

extension JSONWriter {
  /// Writes JSON into memory without checks of the capacity. The caller reserves the memory.
  ///
  ///     json.write(atMost: 64) { json in
  ///       json.literal(#"{"index":"#)
  ///       json.integer(7)
  ///     }
  struct Unchecked: ~Copyable {
    private(set) var next: UnsafeMutablePointer<UInt8>

    /// The largest number of bytes of a number or a length.
    static let numberCount = 28

    @inline(__always)
    init(at next: UnsafeMutablePointer<UInt8>) { self.next = next }

    @inline(__always)
    mutating func byte(_ byte: UInt8) {
      next.pointee = byte
      next += 1
    }

    @inline(__always)
    mutating func literal(_ text: StaticString) {
      // The memory of a static string is valid as long as the program runs.
      memcpy(next, text.utf8Start, text.utf8CodeUnitCount)
      next += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func json(_ json: UnsafeRawBufferPointer) {
      guard let bytes = json.baseAddress else { return }
      memcpy(next, bytes, json.count)
      next += json.count
    }

    @inline(__always)
    mutating func integer(_ value: Int) {
      if value < 0 { byte(UInt8(ascii: "-")) }
      next = DecimalDigits.write(UInt64(value.magnitude), to: next)
    }

    /// Faster if the integer is close to the last one with these `digits`.
    @inline(__always)
    mutating func integer(_ value: Int, _ digits: inout DecimalCache) {
      if value < 0 { byte(UInt8(ascii: "-")) }
      next = digits.write(UInt64(value.magnitude), to: next)
    }

    /// A length in px, as an exact decimal without exponent or trailing zeros.
    @inline(__always)
    mutating func length(_ length: Length) {
      if length.units < 0 { byte(UInt8(ascii: "-")) }
      next = DecimalDigits.write(length.units.magnitude / 64, to: next)
      fraction(of: length)
    }

    @inline(__always)
    mutating func length(_ length: Length, _ digits: inout DecimalCache) {
      if length.units < 0 { byte(UInt8(ascii: "-")) }
      next = digits.write(length.units.magnitude / 64, to: next)
      fraction(of: length)
    }

    @inline(__always)
    private mutating func fraction(of length: Length) {
      let units = length.units.magnitude % 64
      if units > 0 { fraction(units) }
    }

    /// 1/64ths as decimal digits after a point. 1/64 is 0.015625, so six digits are exact.
    @inline(never)
    private mutating func fraction(_ units: UInt64) {
      var fraction = units * 15_625
      byte(UInt8(ascii: "."))
      var unit: UInt64 = 100_000
      while fraction > 0 {
        byte(UInt8(ascii: "0") + UInt8(fraction / unit))
        fraction %= unit
        unit /= 10
      }
    }
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
  func write(to json: inout JSONWriter) {
    json.write(atMost: JSONWriter.Unchecked.numberCount) { $0.length(self) }
  }
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
