import CMicrohttpd
import HTTP
private import Synchronization

/// A response as libmicrohttpd sends it.
struct WireResponse: ~Copyable {
  private let response: OpaquePointer

  /// The answer `value` to the request that is called `id`, if it has a name; nil when there is no
  /// memory.
  ///
  /// - Parameter now: what it says of when it is sent; nil has the library say so when it is.
  init?(
    _ value: Response, on connection: OpaquePointer, closing: Bool, id: String? = nil,
    at now: DateText? = nil
  ) {
    guard let response = WireResponse.make(value.body, on: connection) else { return nil }
    self.response = response
    JoinedFields(fields: value.fields, id: id, date: now).add(to: response)
    if closing { MHD_add_response_header(response, "Connection", "close") }
    if closing, case .events = value.body { carousel_end_with_connection(response) }
  }

  /// The library counts who still sends it.
  deinit { MHD_destroy_response(response) }

  /// Sends it as the answer of `connection`, on its worker's thread.
  func queue(status: Int, on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, UInt32(status), response)
  }

  /// What was made of `value`, whose form is `form`, by whoever came first; nil when there is no
  /// memory. The library counts under a lock who sends it.
  static func kept(
    in form: PreparedResponse, _ value: Response, on connection: OpaquePointer
  ) -> PreparedResponse.Made? {
    if let made = form.made.load() { return made }
    guard let wire = WireResponse(value, on: connection, closing: false) else { return nil }
    return form.made.storeIfNil(wire.keeping())
  }

  private consuming func keeping() -> PreparedResponse.Made {
    let made = PreparedResponse.Made(response) { MHD_destroy_response($0) }
    discard self
    return made
  }

  private static func make(_ body: Body, on connection: OpaquePointer) -> OpaquePointer? {
    if case .events(let stream) = body {
      return EventSource(stream, on: connection).response()
    }
    return make(body)
  }

  /// A response of bytes, without any field; nil for events, which a connection of their own has.
  static func make(_ body: Body) -> OpaquePointer? {
    switch body {
    case .empty:
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    case .bytes(let bytes):
      // The box keeps the array, which nobody changes, so its bytes stay where they are until the
      // library calls back to free them.
      let box = Unmanaged.passRetained(KeptBytes(bytes))
      let response = bytes.withUnsafeBytes { buffer in
        MHD_create_response_from_buffer_with_free_callback_cls(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), release,
          box.toOpaque())
      }
      if response == nil { box.release() }
      return response
    case .events:
      return nil
    }
  }
}

/// Bytes that a response is sent from.
private final class KeptBytes {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

private let release: MHD_ContentReaderFreeCallback = { box in
  guard let box else { return }
  Unmanaged<KeptBytes>.fromOpaque(box).release()
}
