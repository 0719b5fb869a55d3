import CChecksum
import CatalogueTesting
import Items
import RandomTesting
import SQLCatalogue
import Testing
import Views
import Windowing

struct RowChecksumTests {
  /// RFC 3720, appendix B.4, and the check value of CRC-32/ISCSI.
  @Test func `the checksum is CRC-32C`() {
    let vectors: [([UInt8], UInt32)] = [
      (Array("123456789".utf8), 0xE306_9283), ([], 0),
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), ([UInt8](0..<32), 0x46DD_794E),
      ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
    ]
    for (bytes, expected) in vectors {
      #expect(~carousel_crc32c(.max, bytes, bytes.count) == expected)
      #expect(~carousel_crc32c_from_table(.max, bytes, bytes.count) == expected)
    }
  }

  @Test func `the processor's instruction and the table agree, in any pieces`() {
    var random = SeededRandom(seed: 1)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let cut = Int.random(in: 0...count, using: &random)
      let whole = carousel_crc32c_from_table(.max, bytes, count)
      let first = carousel_crc32c(.max, bytes, cut)
      #expect(carousel_crc32c(first, Array(bytes[cut...]), count - cut) == whole)
    }
  }

  @Test func `values tell where they end, and NULL is none of them`() {
    let rows: [[SQLValue]] = [
      [.text("ab"), .text("c")], [.text("a"), .text("bc")], [.text("abc"), .text("")],
      [.text("abc"), .null], [.null, .text("abc")], [.integer(0), .text("abc")],
    ]
    #expect(Set(rows.map { RowChecksum(of: $0).value }).count == rows.count)
  }

  @Test func `an item's checksum is that of its strip and its columns`() throws {
    for item in try randomItems(50, seed: 3) {
      var values = ItemRow(item, kind: 3, strip: 7, sortKey: 1 << 40, firstRevision: 9).values
      let stored = values.removeLast()
      #expect("\(stored)" == "\(SQLValue.integer(RowChecksum(of: values).value))")
    }
  }
}
