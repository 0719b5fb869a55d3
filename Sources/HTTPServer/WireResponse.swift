import CMicrohttpd
private import Glibc
import HTTP
private import Synchronization

struct WireResponse: ~Copyable {
  private let response: OpaquePointer

  /// Makes the response `value`. Nil if there is no memory.
  ///
  /// - Parameters:
  ///   - closing: whether the response closes the connection.
  ///   - id: the id of the request, if it has one.
  ///   - now: the date. If it is nil, libmicrohttpd adds the date, which is slower.
  init?(
    _ value: Response, on connection: OpaquePointer, closing: Bool, id: String? = nil,
    at now: HTTPDate? = nil
  ) {
    guard let response = WireResponse.make(value.body, on: connection) else { return nil }
    self.response = response
    HeaderBlock(fields: value.fields, id: id, date: now).add(to: response)
    if closing { MHD_add_response_header(response, "Connection", "close") }
    if closing, case .events = value.body { carousel_end_with_connection(response) }
  }

  // libmicrohttpd counts references. A response that is being sent stays alive.
  deinit { MHD_destroy_response(response) }

  /// Queues the response on `connection`, on its worker's thread.
  func queue(status: Int, on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, UInt32(status), response)
  }

  /// The response in `prepared`. If there is none, this makes it from `value` and stores it. Nil if
  /// there is no memory. Several threads may send it, because libmicrohttpd locks its reference
  /// count.
  static func prepared(
    in prepared: PreparedResponse, _ value: Response, on connection: OpaquePointer
  ) -> PreparedResponse.Handle? {
    if let handle = prepared.handle { return handle }
    guard let wire = WireResponse(value, on: connection, closing: false) else { return nil }
    return prepared.storeIfNil(wire.consumed())
  }

  private consuming func consumed() -> PreparedResponse.Handle {
    let handle = PreparedResponse.Handle(response) { MHD_destroy_response($0) }
    discard self
    return handle
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

/// Adds all fields of a response to libmicrohttpd as one field. Its value contains the lines of the
/// other fields.
///
///     Date: Sat, 21 Nov 2026 20:20:20 GMT␍␊Content-Type: application/json␍␊ETag: "5b7a"
///     name  └──────────────────────────────── its value ──────────────────────────────┘
///
/// One field is faster: for each, libmicrohttpd makes three allocations, six scans, and a copy for
/// each response. It rejects a value with a line end. So this writes the line ends into
/// libmicrohttpd's copy of the value, before the response is used. `WireResponseTests` checks the
/// result.
struct HeaderBlock {
  let fields: [Field]
  let id: String?
  /// The date. If it is nil, libmicrohttpd adds the date.
  let date: HTTPDate?

  private static let options: StaticString = "X-Content-Type-Options"
  /// Stands for CR LF. No field contains it.
  private static let lineEnd: StaticString = "\u{1}\u{1}"

  /// Adds the fields to `response`, which is not in use yet. Drops those with control characters.
  func add(to response: OpaquePointer) {
    let size = fields.reduce(128 + (id?.utf8.count ?? 0)) {
      $0 + $1.name.utf8CodeUnitCount + $1.value.utf8.count + 4
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { memory in
      guard let start = memory.baseAddress else { return }
      var end = start
      func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard let bytes = text.baseAddress else { return }
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
          append(Self.lineEnd)
          append(name)
          append(": ")
          append(value)
        }
      }
      if let date {
        date.bytes.withUnsafeBufferPointer { append($0) }
        appendLine(Self.options, "nosniff")
      } else {
        append("nosniff")
      }
      for field in fields { appendLine(field.name, field.value) }
      if let id { appendLine("X-Request-Id", id) }
      end.initialize(to: 0)
      HeaderBlock.add(start, to: response, as: date == nil ? Self.options : "Date")
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

/// The value of `Date` (RFC 9110 section 5.6.7).
///
///     HTTPDate(second: 0)   // Thu, 01 Jan 1970 00:00:00 GMT
struct HTTPDate: Sendable {
  /// Seconds since 1970.
  let second: Int
  let bytes: [UInt8]

  /// The length of every date in bytes.
  static let count = 29

  init(second: Int) {
    self.second = second
    bytes = [UInt8](unsafeUninitializedCapacity: Self.count + 1) { buffer, count in
      var (time, parts) = (time_t(second), tm())
      gmtime_r(&time, &parts)
      count = strftime(buffer.baseAddress, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    }
  }
}

/// The current date. It formats each second once.
final class DateClock: @unchecked Sendable {
  // Only the worker's thread uses it.
  private var last = HTTPDate(second: 0)

  /// The current date. It may be a few milliseconds behind.
  var now: HTTPDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    if time.tv_sec != last.second { last = HTTPDate(second: time.tv_sec) }
    return last
  }
}
