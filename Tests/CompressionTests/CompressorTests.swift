import Compression
import Foundation
import HTTP
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

  @Test(arguments: [ContentCoding.zstd, .gzip, .brotli])
  func `compression is deterministic`(coding: ContentCoding) throws {
    let encoded = try #require(Compressor.responses.encode(Self.text, in: coding))
    #expect(encoded == Compressor.responses.encode(Self.text, in: coding))
    #expect(encoded.count < Self.text.count / 4)
  }

  @Test func `empty input is valid, and identity changes nothing`() throws {
    #expect(try output(of: "gzip", try #require(Compressor.responses.encode([], in: .gzip))) == [])
    #expect(Compressor.responses.encode(Self.text, in: .identity) == Self.text)
  }
}
