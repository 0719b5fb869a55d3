import CMicrohttpd
import HTTP

/// Where the library gets the events of one connection from: it is asked when the socket takes more,
/// and sets the connection aside while there are none.
final class EventSource {
  private let stream: EventStream
  private let connection: OpaquePointer

  init(_ stream: EventStream, on connection: OpaquePointer) {
    self.stream = stream
    self.connection = connection
  }

  /// The response that is read from here; nil when there is no memory.
  func response() -> OpaquePointer? {
    let source = Unmanaged.passRetained(self)
    let response = MHD_create_response_from_callback(
      .max, 4096, readEvents, source.toOpaque(), releaseEvents)
    if response == nil { source.release() }
    return response
  }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = stream.take(into: buffer) {
      let suspended = SuspendedConnection(connection)
      return { suspended.resume() }
    }
    switch piece {
    case .bytes(let count): return count
    case .nothingYet: return 0
    case .end: return -1
    }
  }

  /// The library lets go of the response when the connection has ended.
  fileprivate func close() { stream.end() }
}

private let readEvents: MHD_ContentReaderCallback = { source, _, buffer, count in
  guard let source, let buffer else { return -1 }
  return Unmanaged<EventSource>.fromOpaque(source).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
}

private let releaseEvents: MHD_ContentReaderFreeCallback = { source in
  guard let source else { return }
  Unmanaged<EventSource>.fromOpaque(source).takeRetainedValue().close()
}
