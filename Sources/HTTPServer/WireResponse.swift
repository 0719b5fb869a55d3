import CMicrohttpd
private import Glibc
import HTTP

/// Makes responses of libmicrohttpd. It counts references, so a response that is being sent stays alive.
enum WireResponse {
  /// Queues `value` on a connection, on its worker's thread. Nil if there is no memory.
  ///
  /// - Parameter id: the id of the request, if the response repeats it.
  static func queue(
    _ value: Response, on connection: OpaquePointer, closing: Bool, id: String?, at now: HTTPDate
  ) -> MHD_Result? {
    let status = UInt32(value.status)
    if let prepared = value.prepared, !closing, id == nil {
      // Several threads may send the same response, because libmicrohttpd locks its reference count.
      if prepared.handle == nil, let pointer = make(value.body, on: connection) {
        add(value.fields, id: nil, date: nil, to: pointer)
        prepared.storeIfNil(PreparedResponse.Handle(pointer) { MHD_destroy_response($0) })
      }
      return prepared.handle.map { MHD_queue_response(connection, status, $0.pointer) }
    }
    guard let pointer = make(value.body, on: connection) else { return nil }
    defer { MHD_destroy_response(pointer) }
    add(value.fields, id: id, date: closing ? nil : now, to: pointer)
    if closing { MHD_add_response_header(pointer, "Connection", "close") }
    if closing, case .events = value.body { carousel_end_with_connection(pointer) }
    return MHD_queue_response(connection, status, pointer)
  }

  private static func make(_ body: Body, on connection: OpaquePointer) -> OpaquePointer? {
    switch body {
    case .empty:
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    case .bytes(let bytes):
      // The box retains the array until libmicrohttpd calls `release`. Nothing mutates the array, so
      // the address of its bytes does not change.
      let box = Unmanaged.passRetained(BodyBytes(bytes))
      let response = bytes.withUnsafeBytes { buffer in
        MHD_create_response_from_buffer_with_free_callback_cls(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), release,
          box.toOpaque())
      }
      if response == nil { box.release() }
      return response
    case .file(let file):
      // libmicrohttpd closes its copy of the descriptor.
      let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return nil }
      let response = MHD_create_response_from_fd64(UInt64(file.count), copy)
      if response == nil { close(copy) }
      return response
    case .events(let stream):
      return EventSource(stream, on: connection).response()
    }
  }
}

private final class BodyBytes {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

private let release: MHD_ContentReaderFreeCallback = { box in
  guard let box else { return }
  Unmanaged<BodyBytes>.fromOpaque(box).release()
}

extension WireResponse {
  static let contentTypeOptions: StaticString = "X-Content-Type-Options"
  static let noSniff = "nosniff"
  static let requestID: StaticString = "X-Request-Id"
  private static let separator: StaticString = ": "
  /// Stands for CR LF. No field contains it.
  private static let lineEnd: StaticString = "\u{1}\u{1}"

  /// Adds `fields` to `response`, which is not in use yet. All headers are added as ONE header whose value contains the
  /// other lines. Drops headers with control characters.
  ///
  ///     Date: Sat, 21 Nov 2026 20:20:20 GMT␍␊Content-Type: application/json␍␊ETag: "5b7a"
  ///     name  └──────────────────────────────── its value ──────────────────────────────┘
  ///
  /// This is faster: for each header, libmicrohttpd makes three allocations, six scans, and a copy in each response. It
  /// rejects a value with a line end. So the line ends are written into its copy of the value. `WireResponseTests`
  /// checks the result.
  ///
  /// - Parameter date: nil if libmicrohttpd adds the date.
  private static func add(
    _ fields: [Field], id: String?, date: HTTPDate?, to response: OpaquePointer
  ) {
    func sizeOfLine(_ name: StaticString, _ value: String) -> Int {
      lineEnd.utf8CodeUnitCount + name.utf8CodeUnitCount + separator.utf8CodeUnitCount
        + value.utf8.count
    }
    var size = fields.reduce(1) { $0 + sizeOfLine($1.name, $1.value) }
    size +=
      date == nil ? noSniff.utf8.count : HTTPDate.count + sizeOfLine(contentTypeOptions, noSniff)
    if let id { size += sizeOfLine(requestID, id) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { memory in
      guard let start = memory.baseAddress else { return }
      var end = start
      func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard let bytes = text.baseAddress else { return }
        precondition(text.count < size - (end - start), "A response has more fields than counted.")
        end.initialize(from: bytes, count: text.count)
        end += text.count
      }
      func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
      }
      func appendLine(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { value in
          guard value.allSatisfy({ $0 >= 0x20 }) else { return }
          append(lineEnd)
          append(name)
          append(separator)
          append(value)
        }
      }
      if let date {
        date.bytes.withUnsafeBufferPointer { append($0) }
        appendLine(contentTypeOptions, noSniff)
      } else {
        var value = noSniff
        value.withUTF8 { append($0) }
      }
      for field in fields { appendLine(field.name, field.value) }
      if let id { appendLine(requestID, id) }
      end.initialize(to: 0)
      add(start, to: response, as: date == nil ? contentTypeOptions : "Date")
    }
  }

  private static func add(
    _ value: UnsafePointer<UInt8>, to response: OpaquePointer, as name: StaticString
  ) {
    let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    let value = UnsafeRawPointer(value).assumingMemoryBound(to: CChar.self)
    guard MHD_add_response_header(response, name, value) == .YES,
      // Only this response uses the memory of the copy.
      var rest = UnsafeMutablePointer(mutating: MHD_get_response_header(response, name))
    else { return }
    while let end = strchr(rest, 1) {
      end[0] = CChar(UInt8(ascii: "\r"))
      end[1] = CChar(UInt8(ascii: "\n"))
      rest = end + 2
    }
  }
}
