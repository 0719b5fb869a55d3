import CMicrohttpd
private import Glibc
import HTTP

/// The fields of a response as a single one of libmicrohttpd's, whose value goes on with the lines of
/// all the others.
///
///     X-Content-Type-Options: nosniff␍␊Content-Type: application/json␍␊ETag: "5b7a"
///     └────── the name ─────┘ └───────────────────── its value ─────────────────────┘
///
/// Of each field the library makes three allocations, looks it through six times, and copies it by
/// itself each time that it is sent. It refuses a value with a line's end in it; so the ends are put
/// into its own copy of the value afterwards, before the response is anybody else's.
/// `KeptResponseTests` pins that they arrive.
struct JoinedFields {
  let fields: [Field]
  /// What the request is called, if it has a name.
  let id: String?

  private static let first: StaticString = "X-Content-Type-Options"

  /// Adds them to `response`, which nobody sends yet.
  func add(to response: OpaquePointer) {
    let lines = fields.count + 2
    let count =
      fields.reduce(64 + (id?.utf8.count ?? 0)) {
        $0 + $1.name.utf8CodeUnitCount + $1.value.utf8.count + 4
      }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { memory in
      withUnsafeTemporaryAllocation(of: Int.self, capacity: lines) { ends in
        guard let start = memory.baseAddress, let ends = ends.baseAddress else { return }
        var text = Text(start: start, ends: ends)
        text.append("nosniff")
        for field in fields { text.line(field.name, field.value) }
        if let id { text.line("X-Request-Id", id) }
        // Where a field has a line's end in it, the others go by themselves.
        if !text.add(to: response, as: Self.first) { addEach(to: response) }
      }
    }
  }

  private func addEach(to response: OpaquePointer) {
    MHD_add_response_header(response, Self.first.description, "nosniff")
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
      memcpy(start + count, text.utf8Start, text.utf8CodeUnitCount)
      count += text.utf8CodeUnitCount
    }

    /// Begins a line, with blanks for the end of the one before.
    mutating func line(_ name: StaticString, _ value: String) {
      ends[endCount] = count
      endCount += 1
      append("  ")
      append(name)
      append(": ")
      var value = value
      value.withUTF8 { value in
        guard let bytes = value.baseAddress else { return }
        memcpy(start + count, bytes, value.count)
        count += value.count
      }
    }

    /// Makes it the field `name`; false where the library refuses the value.
    func add(to response: OpaquePointer, as name: StaticString) -> Bool {
      start[count] = 0
      let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      let value = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
      guard MHD_add_response_header(response, name, value) == .YES,
        // The library's copy, in memory that it has allocated for this response alone.
        let copy = MHD_get_response_header(response, name)
      else { return false }
      let lines = UnsafeMutablePointer(mutating: copy)
      for end in 0..<endCount {
        lines[ends[end]] = CChar(UInt8(ascii: "\r"))
        lines[ends[end] + 1] = CChar(UInt8(ascii: "\n"))
      }
      return true
    }
  }
}
