import CMicrohttpd
private import Glibc
import HTTP
import Synchronization

/// Makes responses of libmicrohttpd, which counts references: one that is being sent stays alive.
enum WireResponse {
  /// Queues `value` on a connection, on its worker's thread. Nil if there is no memory.
  ///
  /// - Parameter id: the id of the request, if the response repeats it.
  static func queue(
    _ value: Response, on connection: OpaquePointer, closing: Bool, id: String?, at now: HTTPDate
  ) -> MHD_Result? {
    let status = UInt32(value.status)
    if let prepared = value.prepared, !closing, id == nil {
      // Several threads may send it, because libmicrohttpd locks its reference count.
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
  private static let options: StaticString = "X-Content-Type-Options"
  private static let noSniff = "nosniff"
  private static let requestID: StaticString = "X-Request-Id"
  private static let separator: StaticString = ": "
  /// Stands for CR LF. No field contains it.
  private static let lineEnd: StaticString = "\u{1}\u{1}"

  /// Adds `fields` to `response`, which is not in use yet, as one field. Its value contains the lines
  /// of the others. Drops those with control characters.
  ///
  ///     Date: Sat, 21 Nov 2026 20:20:20 GMT␍␊Content-Type: application/json␍␊ETag: "5b7a"
  ///     name  └──────────────────────────────── its value ──────────────────────────────┘
  ///
  /// One field is faster: for each, libmicrohttpd makes three allocations, six scans, and a copy for
  /// each response. It rejects a value with a line end. So this writes the line ends into
  /// libmicrohttpd's copy of the value. `WireResponseTests` checks the result.
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
    size += date == nil ? noSniff.utf8.count : HTTPDate.count + sizeOfLine(options, noSniff)
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
        appendLine(options, noSniff)
      } else {
        var value = noSniff
        value.withUTF8 { append($0) }
      }
      for field in fields { appendLine(field.name, field.value) }
      if let id { appendLine(requestID, id) }
      end.initialize(to: 0)
      add(start, to: response, as: date == nil ? options : "Date")
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

/// Limits the memory of the response bodies of the whole server.
///
/// A body counts from the start of its response until the response is sent or the connection fails.
/// A cached body that several connections send counts once.
package final class AnswerBudget: Sendable {
  /// The address of a body's first byte. The response keeps the body in memory.
  typealias Key = UInt

  private struct State {
    var reserved = 0
    /// The size of each body, and the number of connections that send it.
    var bodies: [Key: (count: Int, users: Int)] = [:]
  }

  /// Smaller bodies do not count. The limit of connections bounds their memory.
  private static let smallestCount = 16 * 1024

  package let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  package var reserved: Int { state.withLock { $0.reserved } }

  /// Reserves the memory of the body in the answer to `method`, for one connection. Nil if it does
  /// not count.
  ///
  /// - Throws: 503. A body above the limit is accepted only while no other body is reserved.
  func reserve(_ response: Response, to method: Method) throws(Problem) -> Key? {
    guard case .bytes(let body) = response.body,
      response.sentCount(to: method) >= Self.smallestCount
    else { return nil }
    let key = body.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    let isReserved = state.withLock { state in
      if state.bodies[key] == nil {
        guard state.reserved == 0 || state.reserved + body.count <= limit else { return false }
        state.reserved += body.count
      }
      state.bodies[key, default: (body.count, 0)].users += 1
      return true
    }
    guard isReserved else {
      throw Problem(
        status: 503, detail: "Too many bytes of answers wait to be sent. Try again later.",
        fields: [Field("Retry-After", "5")],
        cause: "The answers that clients have not read yet exceed --answer-budget.")
    }
    return key
  }

  func release(_ key: Key) {
    state.withLock { state in
      state.bodies[key]?.users -= 1
      guard let body = state.bodies[key], body.users == 0 else { return }
      state.bodies[key] = nil
      state.reserved -= body.count
    }
  }
}

/// The value of `Date` (RFC 9110 section 5.6.7): Thu, 01 Jan 1970 00:00:00 GMT.
package struct HTTPDate: Sendable {
  /// Since 1970.
  let second: Int
  package let bytes: [UInt8]

  package static let count = 29

  package init(second: Int) {
    self.second = second
    bytes = [UInt8](unsafeUninitializedCapacity: Self.count + 1) { buffer, count in
      var (time, parts) = (time_t(second), tm())
      gmtime_r(&time, &parts)
      count = strftime(buffer.baseAddress, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    }
  }
}

/// Formats each second once.
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
