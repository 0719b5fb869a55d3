import CBrotli
import CZlib
package import HTTP

/// Compresses responses with gzip and Brotli.
///
///     Compressor.responses.encode(json, in: .gzip)
///
/// - Complexity: ``responses`` takes about 30 µs for 4 KiB. ``files`` takes about a hundred times as
///   long and saves a few percent more.
package struct Compressor: ContentEncoder {
  private let gzipLevel: Int32
  private let brotliQuality: Int32

  /// Fast, for a body that is made for a request.
  package static let responses = Compressor(gzipLevel: 4, brotliQuality: 4)
  /// Small, for a body that is compressed once and sent many times.
  package static let files = Compressor(gzipLevel: 9, brotliQuality: 9)

  package func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? {
    let encoded =
      switch coding {
      case .identity: bytes
      case .gzip:
        Self.output(carousel_gzip_bound(bytes.count)) {
          carousel_gzip(gzipLevel, bytes, bytes.count, $0.baseAddress, $0.count)
        }
      case .brotli:
        Self.output(carousel_brotli_bound(bytes.count)) {
          carousel_brotli(brotliQuality, bytes, bytes.count, $0.baseAddress, $0.count)
        }
      }
    return encoded.isEmpty ? nil : encoded
  }

  /// The bytes that `write` writes to a buffer of `capacity` bytes. `write` returns their number.
  private static func output(
    _ capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> [UInt8] {
    let buffer = [UInt8](unsafeUninitializedCapacity: capacity) { $1 = write($0) }
    // A copy without spare capacity, because the result may be cached.
    return Array(buffer[...])
  }
}
