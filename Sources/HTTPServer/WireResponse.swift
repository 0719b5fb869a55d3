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
    JoinedFields(fields: value.fields, id: id, date: now).add(to: response)
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
/// One field is faster. For each field, libmicrohttpd makes three allocations and six scans, and a
/// copy for each response. It rejects a value with a line end. So this writes the line ends into
/// libmicrohttpd's copy of the value, before the response is used. `WireResponseTests` checks the
/// result.
struct JoinedFields {
  let fields: [Field]
  let id: String?
  /// The date. If it is nil, libmicrohttpd adds the date.
  let date: HTTPDate?

  private static let options: StaticString = "X-Content-Type-Options"

  /// Adds the fields to `response`, which is not in use yet.
  func add(to response: OpaquePointer) {
    let lines = fields.count + 3
    let count =
      fields.reduce(128 + (id?.utf8.count ?? 0)) {
        $0 + $1.name.utf8CodeUnitCount + $1.value.utf8.count + 4
      }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { memory in
      withUnsafeTemporaryAllocation(of: Int.self, capacity: lines) { ends in
        guard let start = memory.baseAddress, let ends = ends.baseAddress else { return }
        var value = Value(start: start, lineEnds: ends)
        if let date {
          date.bytes.withUnsafeBufferPointer { value.append($0) }
          value.appendLine(Self.options, "nosniff")
        } else {
          value.append("nosniff")
        }
        for field in fields { value.appendLine(field.name, field.value) }
        if let id { value.appendLine("X-Request-Id", id) }
        // A field that contains a line end is dropped. The others are added one by one.
        let isAdded = value.add(to: response, as: date == nil ? Self.options : "Date")
        if !isAdded { addEach(to: response) }
      }
    }
  }

  private func addEach(to response: OpaquePointer) {
    MHD_add_response_header(response, Self.options.description, "nosniff")
    for field in fields {
      MHD_add_response_header(response, field.name.description, field.value)
    }
    if let id { MHD_add_response_header(response, "X-Request-Id", id) }
  }

  /// The joined value, in memory that is large enough.
  private struct Value {
    let start: UnsafeMutablePointer<UInt8>
    let lineEnds: UnsafeMutablePointer<Int>
    var count = 0
    var lineEndCount = 0

    mutating func append(_ text: StaticString) {
      append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
      guard let bytes = text.baseAddress else { return }
      memcpy(start + count, bytes, text.count)
      count += text.count
    }

    /// Appends two blanks, which the line end will replace, and then a line.
    mutating func appendLine(_ name: StaticString, _ value: String) {
      lineEnds[lineEndCount] = count
      lineEndCount += 1
      append("  ")
      append(name)
      append(": ")
      var value = value
      value.withUTF8 { append($0) }
    }

    /// Adds the value as the field `name`. False if libmicrohttpd rejects it.
    func add(to response: OpaquePointer, as name: StaticString) -> Bool {
      start[count] = 0
      let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      let value = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
      guard MHD_add_response_header(response, name, value) == .YES,
        // Only this response uses the memory of the copy.
        let copy = MHD_get_response_header(response, name)
      else { return false }
      let lines = UnsafeMutableRawPointer(mutating: copy).assumingMemoryBound(to: UInt8.self)
      for index in 0..<lineEndCount {
        lines[lineEnds[index]] = UInt8(ascii: "\r")
        lines[lineEnds[index] + 1] = UInt8(ascii: "\n")
      }
      return true
    }
  }
}
