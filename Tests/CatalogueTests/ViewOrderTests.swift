import Items
import RandomTesting
import Testing
import Views

@Suite struct ViewOrderTests {
  @Test(arguments: [0, 1, 255, 256, 65_535, 65_536, UInt32.max])
  func `codes of any size come back as they were`(greatest: UInt32) {
    let all = [0, greatest, greatest / 2, 1, 0].map { min($0, greatest) }
    let codes = PackedIntegers(all)
    #expect((0..<codes.count).map { codes[$0] } == all)
    #expect(
      codes.cost - PackedIntegers([]).cost == all.count
        * (greatest < 256 ? 1 : greatest < 65_536 ? 2 : 4))
  }

  @Test func `an order of keys finds each of them, however far apart they are`() {
    var random = SeededKeys()
    for spread in [1, 1 << 20, 1 << 34, 1 << 53] {
      // The last spread puts keys at both ends of the range of Int64.
      var keys = (0..<5000).map { _ in (Int64(random.next() % 1000) - 500) * Int64(spread) }
      keys = Array(Set(keys + (0..<3000).map { Int64($0) * 8 * Int64(min(spread, 1 << 40)) }))
        .sorted()
      var order = ViewOrder(keys)
      #expect(order[0..<keys.count] == keys)
      for _ in 0..<300 {
        let place = Int(random.next() % UInt32(keys.count - 1))
        if random.next() % 2 == 0, keys[place + 1] - keys[place] > 1 {
          let key = keys[place] + (keys[place + 1] - keys[place]) / 2
          #expect(order.firstIndex(notBefore: key, by: <) == place + 1)
          keys.insert(key, at: place + 1)
          order.insert(key, at: place + 1)
        } else {
          keys.remove(at: place)
          order.remove(at: place)
        }
      }
      #expect(order.count == keys.count)
      #expect(order[0..<keys.count] == keys)
      #expect((0..<keys.count).allSatisfy { order[$0] == keys[$0] })
    }
  }

  @Test(arguments: [1, 2, 3, 40, 10_000])
  func `an order of selected items has their keys, before edits and after them`(rarity: UInt32) {
    var random = SeededKeys()
    let count = 20_011
    for isEven in [true, false] {
      var bits = Bitmap(repeating: false, count: count)
      for index in 0..<count where random.next() % rarity == 0 { bits.insert(index) }
      var base = SortKeys()
      for start in stride(from: 0, to: count, by: 700) {
        let chunk = (start..<min(start + 700, count)).map { Int64($0 * 64 + (isEven ? 0 : $0 % 3)) }
        if let chunk = SortKeys.Chunk(chunk) { base.append(chunk) }
      }
      var keys: [Int64] = []
      base.forEach(where: bits) { keys.append($0) }
      #expect(bits.indices.map { base[Int($0)] } == keys)
      var order = ViewOrder(where: bits, of: base)
      for _ in 0..<50 {
        #expect(order.count == keys.count)
        #expect(order[0..<keys.count] == keys)
        let place = Int(random.next()) % (keys.count + 1)
        let key = place == 0 ? -1 : keys[place - 1] + 1
        guard place == keys.count || keys[place] > key else { continue }
        #expect(order.firstIndex(notBefore: key, by: <) == place)
        order.insert(key, at: place)
        keys.insert(key, at: place)
        let gone = Int(random.next()) % keys.count
        #expect(order[gone] == keys[gone])
        order.remove(at: gone)
        keys.remove(at: gone)
      }
    }
  }

  @Test func `a dictionary gives each text one code`() {
    var texts = StringTable()
    let all = (0..<20_000).map {
      "\($0 % 7 == 0 ? "a longer text of more than eight bytes " : "")\($0)"
    }
    for round in 0..<2 {
      for (number, text) in all.enumerated() {
        var text = text
        let code = text.withUTF8 { texts.code(of: UnsafeRawBufferPointer($0)) }
        #expect(code == UInt32(number + 1), "\(round)")
      }
    }
    #expect(texts.find("20000") == nil)
    #expect(texts.find("") == nil)
    #expect(texts.text(8) == all[7])
  }

  @Test(arguments: [
    #"{"a":"x","b":1}"#, #"{"long name of a field":"with \" and \\ inside, and more","b":true}"#,
    #"{"b":"","a":"eight by","c":"nine byte"}"#, #"{}"#, #"{"a":-1.5e3}"#,
    #"{"é":"ü\n","a":"a b c d e f g h i"}"#,
  ])
  func `a scan of fields finds what parsing finds`(json: String) throws {
    let fields = try Fields(json: Array(json.utf8))
    let names = ["a", "b", "é", "long name of a field"]
    let scanner = FieldScanner(names.map { Array("\"\($0)\"".utf8) })
    var found: [String: String] = [:]
    fields.json.withUnsafeBytes { json in
      scanner.scan(json) { name, text in found[names[name]] = String(decoding: text, as: UTF8.self)
      }
    }
    for name in names { #expect(found[name] == fields[name]?.text) }
    // Damaged bytes are never read past their end.
    for end in 0..<fields.json.count {
      Array(fields.json[..<end]).withUnsafeBytes { scanner.scan($0) { _, _ in } }
    }
  }
}

private struct SeededKeys {
  private var state: UInt32 = 7
  mutating func next() -> UInt32 {
    state = state &* 1_664_525 &+ 1_013_904_223
    return state >> 8
  }
}
