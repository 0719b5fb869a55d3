import Foundation
import Items

/// Texts and their codes.
package struct StringTable: Sendable {
  private var bytes: [UInt8] = []
  /// The end of each text in `bytes`. Code 0 has an empty one.
  private var ends: [Int] = [0]
  /// The numeric value of each text; NaN if the text is not a number.
  private(set) var numbers: [Double] = [.nan]
  /// Codes by hash, with linear probing.
  private var table: [Entry] = Array(repeating: Entry(), count: 64)
  /// The ranks of all codes in the order of sorting. Nil until `store`.
  private(set) var sorted: [UInt32]?

  package init() {}

  /// A bucket of the table. Most texts are found by it alone, with one cache miss.
  private struct Entry {
    var hash: UInt32 = 0
    /// 0 if the bucket is free.
    var code: UInt32 = 0
    var head: UInt64 = 0
  }

  /// One more than the greatest code.
  package var count: Int { ends.count }

  /// The memory of the texts in bytes. Arrays have spare capacity, so a text takes its bytes plus 48 to 80.
  var cost: Int {
    200 + bytes.capacity + 8 * (ends.capacity + numbers.capacity) + 16 * table.capacity
      + 4 * (sorted?.capacity ?? 0)
  }

  /// The approximate memory of a `String` with one of the texts, beside the 16 bytes of the value.
  var stringCost: Int {
    let length = bytes.count / count
    return length > 15 ? 48 + length : 0
  }

  /// The code of a text. A new text gets the next code.
  package mutating func code(of text: UnsafeRawBufferPointer) -> UInt32 {
    let (hash, head) = (text.hash32, text.head)
    let bucket = bucket(of: text, hash, head)
    if table[bucket].code != 0 { return table[bucket].code }
    let code = UInt32(ends.count)
    table[bucket] = Entry(hash: hash, code: code, head: head)
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    numbers.append(JSONNumber(text)?.value ?? .nan)
    sorted = nil
    if ends.count * 2 > table.count { grow() }
    return code
  }

  /// The code of a text; nil if no item ever had it.
  func find(_ text: UnsafeRawBufferPointer) -> UInt32? {
    let code = table[bucket(of: text, text.hash32, text.head)].code
    return code == 0 ? nil : code
  }

  package func find(_ text: String) -> UInt32? {
    var text = text
    return text.withUTF8 { find(UnsafeRawBufferPointer($0)) }
  }

  func withText<Value>(_ code: UInt32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let range = range(of: Int(code))
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  package func text(_ code: UInt32) -> String {
    withText(code) { String(decoding: $0, as: UTF8.self) }
  }

  func forEach(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { bytes in
      for code in ends.indices.dropFirst() {
        body(code, UnsafeRawBufferPointer(rebasing: bytes[range(of: code)]))
      }
    }
  }

  private func range(of code: Int) -> Range<Int> { code == 0 ? 0..<0 : ends[code - 1]..<ends[code] }

  private func bucket(of text: UnsafeRawBufferPointer, _ hash: UInt32, _ head: UInt64) -> Int {
    let mask = table.count - 1
    var bucket = Int(hash) & mask
    while table[bucket].code != 0 {
      let entry = table[bucket]
      // The head of a short text is the whole text.
      if entry.hash == hash, entry.head == head,
        text.count < 8 || withText(entry.code, { $0.isSame(as: text) })
      {
        return bucket
      }
      bucket = (bucket + 1) & mask
    }
    return bucket
  }

  private mutating func grow() {
    var larger = [Entry](repeating: Entry(), count: table.count * 2)
    let mask = larger.count - 1
    for entry in table where entry.code != 0 {
      var bucket = Int(entry.hash) & mask
      while larger[bucket].code != 0 { bucket = (bucket + 1) & mask }
      larger[bucket] = entry
    }
    table = larger
  }
}

// MARK: - Order

extension StringTable {
  /// Whether one value sorts before another: numbers and dates, then texts by the bytes of their UTF-8, then absent.
  func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
    if a == 0 || b == 0 { return a != 0 && b == 0 }
    let (x, y) = (numbers[Int(a)], numbers[Int(b)])
    if !x.isNaN, !y.isNaN { return x < y }
    switch (comparableDate(a), comparableDate(b)) {
    case (let left?, let right?): return left == right ? textPrecedes(a, b) : left < right
    case (let left?, nil): return y.isNaN || left.year < y
    case (nil, let right?): return x <= right.year
    case (nil, nil): return y.isNaN && (!x.isNaN || textPrecedes(a, b))
    }
  }

  private func textPrecedes(_ a: UInt32, _ b: UInt32) -> Bool {
    withText(a) { a in withText(b) { a.precedes($0) } }
  }

  private func comparableDate(_ code: UInt32) -> ComparableDate? {
    withText(code) { ComparableDate($0) }
  }

  /// The rank of each code of `codes` in the ascending order of their values, indexed by code. Equal values have the same
  /// rank. An absent value has the last rank. The ranks of other codes are 0.
  ///
  /// - Complexity: O(*d* log *d*) for *d* codes, and O(all texts).
  func ranks(of codes: some Sequence<UInt32>) -> [UInt32] {
    var numeric: [(Double, UInt32)] = []
    var dated: [(key: ComparableDate, code: UInt32)] = []
    var textual: [UInt32] = []
    for code in codes where code != 0 {
      let number = numbers[Int(code)]
      if !number.isNaN {
        numeric.append((number, code))
      } else if let key = comparableDate(code) {
        dated.append((key, code))
      } else {
        textual.append(code)
      }
    }
    numeric.sort { $0.0 < $1.0 }
    dated.sort {
      $0.key == $1.key ? textPrecedes($0.code, $1.code) : $0.key < $1.key
    }
    textual.sort { textPrecedes($0, $1) }
    var ranks = [UInt32](repeating: 0, count: count)
    var rank: UInt32 = 0
    func append(_ codes: some Sequence<UInt32>) {
      for code in codes {
        rank += 1
        ranks[Int(code)] = rank
      }
    }
    var last: Double?
    var rest = dated[...]
    for (number, code) in numeric {
      let earlier = rest.prefix { $0.key.year < number }
      rest = rest.dropFirst(earlier.count)
      append(earlier.map(\.code))
      if last != number { rank += 1 }
      last = number
      ranks[Int(code)] = rank
    }
    append(rest.map(\.code))
    append(textual)
    ranks[0] = rank + 1
    return ranks
  }

  mutating func store(_ ranks: [UInt32]) { sorted = ranks }
}

/// An odd number that differs in each process.
private let hashFactor = UInt64.random(in: .min ... .max) | 1

extension UnsafeRawBufferPointer {
  @inline(__always)
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && compareBytes(other, count) == 0
  }

  /// Whether these bytes contain `other`, which is not empty.
  func contains(_ other: UnsafeRawBufferPointer) -> Bool {
    // Compares the last byte first: letters of one script differ most often there.
    let last = other.count - 1
    guard last < count else { return false }
    for index in last..<count where self[index] == other[last] {
      if UnsafeRawBufferPointer(rebasing: self[index - last...index]).isSame(as: other) {
        return true
      }
    }
    return false
  }

  /// Compares the first `count` bytes. Returns a number below 0, 0, or a number above 0.
  @inline(__always)
  private func compareBytes(_ other: UnsafeRawBufferPointer, _ count: Int) -> Int32 {
    guard count > 0, let left = baseAddress, let right = other.baseAddress else { return 0 }
    return memcmp(left, right, count)
  }

  /// The first eight bytes. If there are fewer, all bytes and their number: no text in UTF-8 begins with the
  /// byte that has the number.
  @inline(__always)
  fileprivate var head: UInt64 {
    guard count < 8 else { return loadUnaligned(as: UInt64.self) }
    var head = 0xF8 | UInt64(count)
    for byte in self { head = head << 8 | UInt64(byte) }
    return head << UInt64(8 * (7 - count))
  }

  /// A hash of the bytes, for tables in memory: a multiplication for each eight bytes.
  ///
  /// The factor is secret, so that clients cannot choose texts with equal hashes. The XOR of both halves of the product
  /// is the hash, because the lower half alone shows differences in high bits with any factor.
  @inline(__always)
  var hash32: UInt32 {
    let factor = hashFactor
    var hash = factor ^ UInt64(truncatingIfNeeded: count)
    var offset = 0
    func mix(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: factor)
      hash = product.high ^ product.low
    }
    while count - offset >= 8 {
      mix(loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < count {
      rest = rest << 8 | UInt64(self[offset])
      offset += 1
    }
    mix(rest)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// Compares as bytes.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let order = compareBytes(other, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }
}
