import CatalogueTesting
import Foundation
import Items
import RandomTesting
import Testing
import Views

struct FlatObjectTests {
  private func isValid(_ text: [UInt8]) -> Bool { text.withUnsafeBytes(Fields.isValid) }

  @Test(arguments: [
    "{}", #"{"":""}"#,
    #"{"a":1,"b":-0.5e+7,"c":true,"d":false,"long name of a field":"é😀 and more"}"#,
    #"{"a":"\"\\\/\b\f\n\r\té 12345678\u001f"}"#,
  ])
  func `a flat object is valid`(_ text: String) { #expect(isValid(Array(text.utf8))) }

  @Test(arguments: [
    "", "{", "}", "[]", "{} ", " {}", #"{"a"}"#, #"{"a":}"#, #"{"a":null}"#, #"{"a":{}}"#,
    #"{"a":[1]}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#,
    #"{"a":1e}"#, #"{"a":-}"#, #"{"a":+1}"#, #"{"a":tru}"#, #"{"a":truex}"#, #"{"a":"b}"#,
    #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\u12"}"#, "{\"a\":\"\n\"}",
    "{\"a\":\"12345678\n\"}",
    #"{"a":"\"}"#, #"{"a":"1234567\"}"#, #"{"a":1}x"#, #"{"a":1"b":2}"#, #"{a:1}"#,
  ])
  func `anything else is not`(_ text: String) { #expect(!isValid(Array(text.utf8))) }

  @Test func `bytes that are not UTF-8 are not valid`() {
    #expect(!isValid(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)))
    #expect(!isValid(Array("{\"a\":\"12345678".utf8) + [0xC3] + Array("12345678\"}".utf8)))
  }

  @Test func `the check of UTF-8 agrees with the standard library`() {
    let texts = [
      "", "ASCII", "12345678é", "é12345678", "\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}",
      "😀\u{10FFFF}",
    ]
    for seed in 0..<50_000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var bytes = Array((texts.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let byte = UInt8.random(in: 0x7E...0xFF, using: &random)
        bytes.insert(byte, at: Int.random(in: 0...bytes.count, using: &random))
      }
      if seed % 3 == 0 { bytes = bytes.dropLast() }
      #expect(
        bytes.withUnsafeBytes(\.isUTF8) == (String(validating: bytes, as: UTF8.self) != nil),
        "seed \(seed)")
    }
    for first in 0x80...0xFF as ClosedRange<UInt8> {
      for second in 0x80...0xFF as ClosedRange<UInt8> {
        for rest in [[], [0x80], [0x80, 0xBF], [0x7F, 0x80]] as [[UInt8]] {
          let bytes = [first, second] + rest
          #expect(
            bytes.withUnsafeBytes(\.isUTF8) == (String(validating: bytes, as: UTF8.self) != nil))
        }
      }
    }
  }

  @Test func `all that is valid is JSON, and all fields are valid`() throws {
    let start = Array(
      #"{"title":"Blue \"é\" \n","n":-1.50e3,"flag":true,"empty":"","long":"abcdefghijkl"}"#.utf8)
    var valid = 0
    for seed in 0..<20_000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var text = start
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = text.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = text.randomElement(using: &random) ?? 0
        case 1: text.remove(at: place)
        default: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      if isValid(text) {
        valid += 1
        // Foundation rejects unpaired surrogates, but these texts cannot contain any.
        #expect(throws: Never.self, "seed \(seed)") {
          try JSONSerialization.jsonObject(with: Data(text))
        }
      }
      if let fields = try? Fields(json: text) { #expect(isValid(fields.json), "seed \(seed)") }
    }
    #expect(valid > 1000)
  }
}
