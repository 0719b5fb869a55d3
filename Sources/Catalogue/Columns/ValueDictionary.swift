import Synchronization

/// The texts of one field of a strip, numbered in the order of their first use: the codes of a column.
///
///     let dictionary = ValueDictionary()
///     dictionary.code(of: "Blue")   // 1
///     dictionary.code(of: "Blue")   // 1
///
/// Code 0 stands for an absent value. Codes are never removed, so all editions of a strip share a dictionary.
///
/// - Complexity: O(length) for each function that does not say otherwise. A text takes its bytes and about
///   24 more.
final class ValueDictionary: Sendable {
  private let texts: Mutex<Texts>

  init(_ texts: Texts = Texts()) { self.texts = Mutex(texts) }

  /// The texts. Copies share memory until a text is added.
  var snapshot: Texts { texts.withLock { $0 } }

  /// Calls `body` while no other thread adds texts.
  func withTexts<Value>(_ body: (inout Texts) -> Value) -> Value {
    texts.withLock { body(&$0) }
  }

  /// The rank of each code: see `Texts.ranks`.
  ///
  /// They are computed from a copy, so that no other thread waits. The dictionary keeps them.
  var ranks: [UInt32] {
    let ranks = snapshot.ranks()
    texts.withLock { if $0.count == ranks.count { $0.store(ranks) } }
    return ranks
  }

  var cost: Int { texts.withLock { $0.cost } }

  /// The code of a text. A new text gets the next code.
  func code(of text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { bytes in
      texts.withLock { $0.code(of: UnsafeRawBufferPointer(bytes)) }
    }
  }
}

/// Texts and their codes. A value.
struct Texts: Sendable {
  private var bytes: [UInt8] = []
  /// The end of each text in `bytes`. Code 0 has an empty one.
  private var ends: [Int] = [0]
  /// The number that each text spells, NaN if it spells none.
  private(set) var numbers: [Double] = [.nan]
  /// Codes by hash, with linear probing; 0 for a free place.
  private var table: [UInt32] = Array(repeating: 0, count: 64)
  /// The ranks of all codes in the order of sorting, as far as they were needed.
  private var sorted: [UInt32]?

  /// One more than the greatest code.
  var count: Int { ends.count }

  var cost: Int { bytes.count + 8 * ends.count + 8 * numbers.count + 4 * table.count }

  /// The code of a text. A new text gets the next code.
  mutating func code(of text: UnsafeRawBufferPointer) -> UInt32 {
    let place = place(of: text)
    if table[place] != 0 { return table[place] }
    let code = UInt32(ends.count)
    table[place] = code
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    numbers.append(Double(json: text) ?? .nan)
    sorted = nil
    if ends.count * 2 > table.count { grow() }
    return code
  }

  /// The code of a text; nil if no item ever had it.
  func find(_ text: UnsafeRawBufferPointer) -> UInt32? {
    let code = table[place(of: text)]
    return code == 0 ? nil : code
  }

  func find(_ text: String) -> UInt32? {
    var text = text
    return text.withUTF8 { find(UnsafeRawBufferPointer($0)) }
  }

  /// Calls `body` with the bytes of a text.
  func withText<Value>(_ code: UInt32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let range = range(of: Int(code))
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  func text(_ code: UInt32) -> String {
    withText(code) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with each code and the bytes of its text.
  func forEach(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { bytes in
      for code in ends.indices.dropFirst() {
        body(code, UnsafeRawBufferPointer(rebasing: bytes[range(of: code)]))
      }
    }
  }

  private func range(of code: Int) -> Range<Int> { code == 0 ? 0..<0 : ends[code - 1]..<ends[code] }

  private func place(of text: UnsafeRawBufferPointer) -> Int {
    let mask = table.count - 1
    var place = Self.hash(text) & mask
    while table[place] != 0 {
      let found = range(of: Int(table[place]))
      if found.count == text.count,
        bytes.withUnsafeBytes({ UnsafeRawBufferPointer(rebasing: $0[found]).isSame(as: text) })
      {
        return place
      }
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    var larger = [UInt32](repeating: 0, count: table.count * 2)
    let mask = larger.count - 1
    forEach { code, text in
      var place = Self.hash(text) & mask
      while larger[place] != 0 { place = (place + 1) & mask }
      larger[place] = UInt32(code)
    }
    table = larger
  }

  /// FNV-1a, with its high bits mixed into the low ones.
  private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ (hash >> 29)) & 0x7FFF_FFFF_FFFF)
  }
}

// MARK: - Order

extension Texts {
  /// Whether one value sorts before another: numbers, then texts by the bytes of their UTF-8, then absent.
  func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
    if a == 0 || b == 0 { return a != 0 && b == 0 }
    let (x, y) = (numbers[Int(a)], numbers[Int(b)])
    switch (x.isNaN, y.isNaN) {
    case (false, false): return x < y
    case (false, true): return true
    case (true, false): return false
    case (true, true):
      return bytes.withUnsafeBytes { bytes in
        UnsafeRawBufferPointer(rebasing: bytes[range(of: Int(a))])
          .precedes(UnsafeRawBufferPointer(rebasing: bytes[range(of: Int(b))]))
      }
    }
  }

  /// The rank of each code in ascending order. Values that sort alike have one rank. Absent is the last.
  ///
  /// - Complexity: O(*d* log *d*) for *d* texts; O(1) if no text was added since.
  func ranks() -> [UInt32] {
    if let sorted { return sorted }
    var numeric: [(Double, UInt32)] = []
    var textual: [UInt32] = []
    for code in 1..<max(1, count) {
      if numbers[code].isNaN {
        textual.append(UInt32(code))
      } else {
        numeric.append((numbers[code], UInt32(code)))
      }
    }
    numeric.sort { $0.0 < $1.0 }
    textual.sort { precedes($0, $1) }
    var ranks = [UInt32](repeating: 0, count: count)
    var rank: UInt32 = 0
    var last: Double?
    for (number, code) in numeric {
      if last != number { rank += 1 }
      last = number
      ranks[Int(code)] = rank
    }
    for code in textual {
      rank += 1
      ranks[Int(code)] = rank
    }
    ranks[0] = rank + 1
    return ranks
  }

  mutating func store(_ ranks: [UInt32]) { sorted = ranks }
}

extension UnsafeRawBufferPointer {
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    for place in 0..<count where self[place] != other[place] { return false }
    return true
  }

  /// Compares as bytes.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    for place in 0..<Swift.min(count, other.count) where self[place] != other[place] {
      return self[place] < other[place]
    }
    return count < other.count
  }
}
