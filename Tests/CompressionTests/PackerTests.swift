import Compression
import Foundation
import HTTP
import Testing

@Suite struct PackerTests {
  private static let text = Array(
    (0..<400).map { "{\"index\":\($0),\"slot\":\"card-\($0 % 7)\"}" }.joined(separator: ",").utf8)

  /// What `program` makes of `bytes` on its standard input.
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

  @Test(arguments: [Packer.answers, Packer.files])
  func `What gzip packs, gunzip unpacks, and it is smaller`(packer: Packer) throws {
    let packed = try #require(packer.encode(Self.text, in: .gzip))
    #expect(packed.count < Self.text.count / 4)
    #expect(try output(of: "gzip", packed) == Self.text)
  }

  @Test(arguments: [ContentCoding.gzip, .brotli])
  func `The same bytes pack to the same bytes`(coding: ContentCoding) throws {
    let packed = try #require(Packer.answers.encode(Self.text, in: coding))
    #expect(packed == Packer.answers.encode(Self.text, in: coding))
    #expect(packed.count < Self.text.count / 4)
  }

  @Test func `Nothing is lost of nothing, and identity changes nothing`() throws {
    #expect(try output(of: "gzip", try #require(Packer.answers.encode([], in: .gzip))) == [])
    #expect(Packer.answers.encode(Self.text, in: .identity) == Self.text)
  }
}
