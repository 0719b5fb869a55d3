import CMicrohttpd
private import Glibc
import HTTP

/// The fields of a response as a single one of libmicrohttpd's, whose value goes on with the lines of
/// all the others.
///
///     Date: Sat, 21 Nov 2026 20:20:20 GMT␍␊Content-Type: application/json␍␊ETag: "5b7a"
///     name  └──────────────────────────────── its value ──────────────────────────────┘
///
/// Of each field the library makes three allocations, looks it through six times, and copies it by
/// itself each time that it is sent. It refuses a value with a line's end in it; so the ends are put
/// into its own copy of the value afterwards, before the response is anybody else's.
/// `KeptResponseTests` pins that they arrive.
struct JoinedFields {
  let fields: [Field]
  /// What the request is called, if it has a name.
  let id: String?
  /// When it is sent; nil has the library say so, which costs it more.
  let date: DateText?

  private static let options: StaticString = "X-Content-Type-Options"

  /// Adds them to `response`, which nobody sends yet.
  ///
  /// - Returns: where the library keeps the value, which begins with the date where there is one; nil
  ///   where the fields had to go by themselves.
  @discardableResult
  func add(to response: OpaquePointer) -> UnsafeMutablePointer<UInt8>? {
    let lines = fields.count + 3
    let count =
      fields.reduce(128 + (id?.utf8.count ?? 0)) {
        $0 + $1.name.utf8CodeUnitCount + $1.value.utf8.count + 4
      }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { memory in
      withUnsafeTemporaryAllocation(of: Int.self, capacity: lines) { ends in
        guard let start = memory.baseAddress, let ends = ends.baseAddress else { return nil }
        var text = Text(start: start, ends: ends)
        if let date {
          date.bytes.withUnsafeBufferPointer { text.append($0) }
          text.line(Self.options, "nosniff")
        } else {
          text.append("nosniff")
        }
        for field in fields { text.line(field.name, field.value) }
        if let id { text.line("X-Request-Id", id) }
        // Where a field has a line's end in it, the others go by themselves.
        guard let joined = text.add(to: response, as: date == nil ? Self.options : "Date") else {
          addEach(to: response)
          return nil
        }
        return joined
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

  /// The value as it grows, in memory that has room for it.
  private struct Text {
    let start: UnsafeMutablePointer<UInt8>
    let ends: UnsafeMutablePointer<Int>
    var count = 0
    var endCount = 0

    mutating func append(_ text: StaticString) {
      append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
      guard let bytes = text.baseAddress else { return }
      memcpy(start + count, bytes, text.count)
      count += text.count
    }

    /// Begins a line, with blanks for the end of the one before.
    mutating func line(_ name: StaticString, _ value: String) {
      ends[endCount] = count
      endCount += 1
      append("  ")
      append(name)
      append(": ")
      var value = value
      value.withUTF8 { append($0) }
    }

    /// Makes it the field `name`, and says where the library keeps the value; nil where it refuses it.
    func add(
      to response: OpaquePointer, as name: StaticString
    ) -> UnsafeMutablePointer<UInt8>? {
      start[count] = 0
      let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      let value = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
      guard MHD_add_response_header(response, name, value) == .YES,
        // The library's copy, in memory that it has allocated for this response alone.
        let copy = MHD_get_response_header(response, name)
      else { return nil }
      let lines = UnsafeMutableRawPointer(mutating: copy).assumingMemoryBound(to: UInt8.self)
      for end in 0..<endCount {
        lines[ends[end]] = UInt8(ascii: "\r")
        lines[ends[end] + 1] = UInt8(ascii: "\n")
      }
      return lines
    }
  }
}
