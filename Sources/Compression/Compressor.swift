import CBrotli
import CDeflate
import CISAL
package import HTTP
import Synchronization

/// Compresses responses with gzip and Brotli.
///
///     Compressor.responses.encode(json, in: .gzip)
///
/// The level of each coding is fixed. So equal bytes always have the same encoded form.
///
/// - Complexity: for 3 KB of JSON, ``responses`` takes about 5 µs for gzip and 50 µs for Brotli.
///   ``files`` takes 0.2 to 2 ms and saves about a tenth. Documentation/http.md compares the levels.
package final class Compressor: ContentEncoder {
  private let windows: WindowEncoder?
  private let deflate: ContextPool<DeflateContext>
  private let brotliQuality: Int32

  private init(_ windows: WindowEncoder? = nil, gzipLevel: Int32, brotliQuality: Int32) {
    self.windows = windows
    deflate = ContextPool { DeflateContext(level: gzipLevel) }
    self.brotliQuality = brotliQuality
  }

  /// Fast compression, for a body that is sent once.
  package static let responses = Compressor(WindowEncoder(), gzipLevel: 6, brotliQuality: 5)
  /// Strong compression, for a body that is compressed once and sent many times.
  package static let files = Compressor(gzipLevel: 12, brotliQuality: 10)

  package func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? {
    switch coding {
    case .identity:
      bytes
    case .gzip:
      // The Huffman codes are for JSON. A page would be a seventh larger than by zlib 1.
      (bytes.first == UInt8(ascii: "{") ? windows?.encode(bytes) : nil)
        ?? deflate.withContext { $0.encode(bytes) }
    case .brotli:
      output(carousel_brotli_bound(bytes.count)) {
        carousel_brotli(brotliQuality, bytes, bytes.count, $0.baseAddress, $0.count)
      }
    }
  }
}

/// The bytes that `write` writes to a buffer of `capacity` bytes. `write` returns their number, or
/// 0 for a failure. The result is then nil.
private func output(
  _ capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
) -> [UInt8]? {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
    let count = write(buffer)
    // A copy without spare capacity, because the result may be cached.
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}

/// A pool of contexts. It grows to the largest number of threads that used one at the same time.
///
/// - Complexity: O(1), and one uncontended lock before and after each use.
private final class ContextPool<Context: Sendable>: Sendable {
  private let free = Mutex<[Context]>([])
  private let make: @Sendable () -> Context?

  init(make: @escaping @Sendable () -> Context?) { self.make = make }

  /// Nil if there is no memory for a context.
  func withContext(_ body: (Context) -> [UInt8]?) -> [UInt8]? {
    guard let context = free.withLock({ $0.popLast() }) ?? make() else { return nil }
    defer { free.withLock { $0.append(context) } }
    return body(context)
  }
}

/// gzip by ISA-L, with Huffman codes that are made in advance from windows: one pass over the text.
///
/// - Complexity: a third of the time of libdeflate 1. The results are up to a tenth larger.
private final class WindowEncoder: Sendable {
  private let latin = ContextPool { WindowContext(WindowHistogram.latin) }
  private let other = ContextPool { WindowContext(WindowHistogram.other) }

  /// Nil if ISA-L is not there.
  init?() {
    guard latin.withContext({ $0.encode([]) }) != nil else { return nil }
  }

  func encode(_ bytes: [UInt8]) -> [UInt8]? {
    (bytes.otherCount > bytes.count / 10 ? other : latin).withContext { $0.encode(bytes) }
  }
}

extension [UInt8] {
  /// The number of bytes that are not ASCII, except for the last seven. Counts eight at a time.
  fileprivate var otherCount: Int {
    withUnsafeBytes { bytes in
      var count = 0
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        count &+= (word & 0x8080_8080_8080_8080).nonzeroBitCount
        offset &+= 8
      }
      return count
    }
  }
}

private final class WindowContext: @unchecked Sendable {
  // The thread that has taken it from its pool is its only user.
  private let gzip: UnsafeMutablePointer<carousel_igzip>

  /// Nil if ISA-L is not there, or there is no memory.
  init?(_ histogram: [UInt16]) {
    guard let gzip = carousel_igzip_make(histogram) else { return nil }
    self.gzip = gzip
  }

  deinit { free(gzip) }

  func encode(_ bytes: [UInt8]) -> [UInt8]? {
    // The longest code has 15 bits. The header of a member and its code take up to 400 bytes.
    output(2 * bytes.count + 512) {
      carousel_igzip_encode(gzip, bytes, bytes.count, $0.baseAddress, $0.count)
    }
  }
}

/// The state of libdeflate. Each further body reuses it.
private final class DeflateContext: @unchecked Sendable {
  // The thread that has taken it from its pool is its only user.
  private let compressor: OpaquePointer

  /// Nil if there is no memory.
  init?(level: Int32) {
    guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
    self.compressor = compressor
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// One gzip member without a file name or a time.
  func encode(_ bytes: [UInt8]) -> [UInt8]? {
    output(libdeflate_gzip_compress_bound(compressor, bytes.count)) {
      libdeflate_gzip_compress(compressor, bytes, bytes.count, $0.baseAddress, $0.count)
    }
  }
}
