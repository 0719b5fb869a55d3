import CZlib

/// Decompresses a gzip file (RFC 1952) of one or more members in parts, for imports.
///
/// - Complexity: O(*n*) time; 256 KiB of output and one chunk of input in memory.
package final class GzipReader {
  // zlib's state points back to the stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var position = 0
  private var needsInput = true
  private var isBetweenMembers = true

  package init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 16 selects gzip, 15 the largest window.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, 16 + 15, ZLIB_VERSION, size) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  package static func matches(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// The next bytes, at most 256 KiB; empty at the end; nil if the file is damaged or truncated.
  ///
  /// - Parameter source: returns the next chunk of the file; empty at the end.
  package func next<Failure>(
    from source: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8]? {
    while true {
      if needsInput {
        input = try source()
        position = 0
        if input.isEmpty { return isBetweenMembers ? [] : nil }
      }
      if isBetweenMembers {
        // Tapes and some programs pad a file with zeros.
        position = input[position...].firstIndex { $0 != 0 } ?? input.count
        needsInput = position == input.count
        if needsInput { continue }
      }
      let (output, status) = inflateNext()
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return nil }
      isBetweenMembers = status == Z_STREAM_END
      if isBetweenMembers {
        inflateReset(stream)
        needsInput = position == input.count
      }
      if !output.isEmpty { return output }
    }
  }

  private func inflateNext() -> (output: [UInt8], status: Int32) {
    var status: Int32 = 0
    let output = [UInt8](unsafeUninitializedCapacity: 1 << 18) { output, filled in
      input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress.map { $0 + position }
        stream.pointee.avail_in = UInt32(input.count - position)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        status = inflate(stream, Z_NO_FLUSH)
        position = input.count - Int(stream.pointee.avail_in)
      }
      filled = output.count - Int(stream.pointee.avail_out)
      // If the output buffer is full, zlib can still hold more output.
      needsInput = stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
    }
    return (output, status)
  }
}
