import CBrotli
import CISAL
import CZlib
package import HTTP
import Synchronization

/// Compresses responses with gzip and Brotli.
///
///     Compressor.responses.encode(json, in: .gzip)
///
/// The level of each coding is fixed, so equal bytes always have the same encoded form.
///
/// - Complexity: ``responses`` takes about 5 µs for gzip and 50 µs for Brotli for 3 KB of JSON;
///   ``files`` 0.1 to 6 ms for gzip of 2 to 82 KB. Documentation/http.md compares the levels.
package final class Compressor: ContentEncoder {
  /// gzip by ISA-L, with Huffman codes made in advance from windows in Latin letters and in other
  /// scripts. It is faster than zlib, and its results are larger: Documentation/http.md has the figures.
  private let windows: (latin: ContextPool, other: ContextPool)?
  private let gzip: ContextPool
  private let brotliQuality: Int32

  private init(forWindows: Bool, gzipLevel: Int32, brotliQuality: Int32) {
    let latin = ContextPool { GzipContext(HuffmanFrequencies.latin) }
    windows =
      forWindows && latin.encode([]) != nil
      ? (latin, ContextPool { GzipContext(HuffmanFrequencies.other) }) : nil
    gzip = ContextPool { GzipContext(level: gzipLevel) }
    self.brotliQuality = brotliQuality
  }

  /// Fast compression, for a body that is sent once.
  package static let responses = Compressor(forWindows: true, gzipLevel: 4, brotliQuality: 5)
  /// Strong compression, for a body that is compressed once and sent many times.
  package static let files = Compressor(forWindows: false, gzipLevel: 9, brotliQuality: 10)

  package func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? {
    switch coding {
    case .identity: return bytes
    case .gzip:
      // The Huffman codes are for JSON. A page would be a seventh larger than by zlib 1.
      guard let windows, bytes.first == UInt8(ascii: "{") else { return gzip.encode(bytes) }
      let pool = bytes.otherCount > bytes.count / 10 ? windows.other : windows.latin
      return pool.encode(bytes) ?? gzip.encode(bytes)
    case .brotli:
      return output(carousel_brotli_bound(bytes.count)) {
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
    // Without spare capacity, because the result may be cached.
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}

extension [UInt8] {
  /// The number of bytes that are not ASCII.
  fileprivate var otherCount: Int {
    var count: UInt32 = 0
    for byte in self { count &+= UInt32(byte &>> 7) }
    return Int(count)
  }
}

/// Contexts of one kind: as many as threads have used at the same time.
private final class ContextPool: Sendable {
  private let free = Mutex<[GzipContext]>([])
  private let make: @Sendable () -> GzipContext?

  init(make: @escaping @Sendable () -> GzipContext?) { self.make = make }

  /// Nil if there is no memory for a context.
  func encode(_ bytes: [UInt8]) -> [UInt8]? {
    guard let context = free.withLock({ $0.popLast() }) ?? make() else { return nil }
    defer { free.withLock { $0.append(context) } }
    return context.encode(bytes)
  }
}

/// The state of an encoder.
private final class GzipContext: @unchecked Sendable {
  // The thread that has taken it from its pool is its only user.
  private enum State {
    case window(UnsafeMutablePointer<carousel_igzip>)
    // zlib's state points back to the stream, so the stream must not move.
    case zlib(UnsafeMutablePointer<z_stream>)
  }

  private let state: State

  /// Nil if ISA-L is not there, or there is no memory.
  init?(_ histogram: [UInt16]) {
    guard let gzip = carousel_igzip_make(histogram) else { return nil }
    state = .window(gzip)
  }

  init?(level: Int32) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    state = .zlib(stream)
    // 16 selects gzip, 15 the largest window, 8 the usual memory.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        stream, level, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { return nil }
  }

  deinit {
    switch state {
    case .window(let gzip): free(gzip)
    case .zlib(let stream):
      deflateEnd(stream)
      stream.deallocate()
    }
  }

  /// One gzip member without a file name or a time.
  func encode(_ bytes: [UInt8]) -> [UInt8]? {
    switch state {
    case .window(let gzip):
      // The longest code has 15 bits. The header of a member and its code take up to 400 bytes.
      output(2 * bytes.count + 512) {
        carousel_igzip_encode(gzip, bytes, bytes.count, $0.baseAddress, $0.count)
      }
    case .zlib(let stream):
      output(Int(deflateBound(stream, UInt(bytes.count)))) { output in
        bytes.withUnsafeBufferPointer { bytes in
          deflateReset(stream)
          stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
          stream.pointee.avail_in = UInt32(bytes.count)
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          guard deflate(stream, Z_FINISH) == Z_STREAM_END else { return 0 }
          return Int(stream.pointee.total_out)
        }
      }
    }
  }
}
