import CMicrohttpd
import HTTP

/// Reads the events of one stream for libmicrohttpd. It suspends the connection while there are none.
final class EventSource {
  private let stream: EventStream
  private let connection: OpaquePointer

  init(_ stream: EventStream, on connection: OpaquePointer) {
    self.stream = stream
    self.connection = connection
  }

  /// A response that reads from the source. Nil if there is no memory. libmicrohttpd releases both
  /// when the connection has ended.
  func response() -> OpaquePointer? {
    let source = Unmanaged.passRetained(self)
    let response = MHD_create_response_from_callback(
      .max, 4096,
      { source, _, buffer, count in
        guard let source, let buffer else { return -1 }
        return Unmanaged<EventSource>.fromOpaque(source).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      },
      source.toOpaque(),
      { source in
        guard let source else { return }
        Unmanaged<EventSource>.fromOpaque(source).takeRetainedValue().stream.end()
      })
    if response == nil {
      stream.end()
      source.release()
    }
    return response
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    stream.read(into: buffer) {
      let suspended = SuspendedConnection(connection)
      return { suspended.resume() }
    } ?? -1
  }
}
