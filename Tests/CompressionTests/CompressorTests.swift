import Compression
import Foundation
import HTTP
import RandomTesting
import Testing

@Suite struct CompressorTests {
  private static let text = Array(
    (0..<400).map { "{\"index\":\($0),\"slot\":\"card-\($0 % 7)\"}" }.joined(separator: ",").utf8)

  /// The output of `program -dc` for the input `bytes`.
  private func output(of program: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program, "-dc"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    try input.fileHandleForWriting.close()
    return Array(try output.fileHandleForReading.readToEnd() ?? Data())
  }

  @Test(arguments: [Compressor.responses, Compressor.files])
  func `gzip output is small and decompresses to the input`(compressor: Compressor) throws {
    let encoded = try #require(compressor.encode(Self.text, in: .gzip))
    #expect(encoded.count < Self.text.count / 4)
    #expect(try output(of: "gzip", encoded) == Self.text)
  }

  @Test func `threads compress at the same time`() {
    let expected = ContentCoding.allCases.map { Compressor.responses.encode(Self.text, in: $0) }
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      let encoded = ContentCoding.allCases.map { Compressor.responses.encode(Self.text, in: $0) }
      #expect(encoded == expected)
    }
  }

  @Test(arguments: [ContentCoding.gzip, .brotli])
  func `compression is deterministic`(coding: ContentCoding) throws {
    let encoded = try #require(Compressor.responses.encode(Self.text, in: coding))
    #expect(encoded == Compressor.responses.encode(Self.text, in: coding))
    #expect(encoded.count < Self.text.count / 4)
  }

  @Test(arguments: 0..<40)
  func `every text decompresses to itself`(seed: Int) throws {
    var dice = SeededRandom(seed: seed)
    // Random bytes, random letters, and repetitions of both.
    let letters = Array("etaoin {}\":,0123456789άшの".utf8)
    // JSON has a code of its own.
    var text = Array("{".utf8)
    while text.count < 1 << Int.random(in: 0...17, using: &dice) {
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: text += (0..<9).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
      case 1: text += (0..<99).map { _ in letters.randomElement(using: &dice) ?? 0 }
      default: text += text.suffix(Int.random(in: 0...300, using: &dice))
      }
    }
    let encoded = try #require(Compressor.responses.encode(text, in: .gzip))
    let reader = try #require(GzipReader())
    var decoded: [UInt8] = []
    var rest = encoded
    while let part = reader.next(from: {
      defer { rest = [] }; return rest
    }), !part.isEmpty {
      decoded += part
    }
    #expect(decoded == text)
  }

  @Test func `empty input is valid, and identity changes nothing`() throws {
    #expect(try output(of: "gzip", try #require(Compressor.responses.encode([], in: .gzip))) == [])
    #expect(Compressor.responses.encode(Self.text, in: .identity) == Self.text)
  }
}
