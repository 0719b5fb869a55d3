import CMicrohttpd
private import Glibc
import HTTP

/// A response that one worker sends again and again, and that says each time what time it is.
///
/// The library copies a response's fields into the connection's memory before the worker goes on,
/// so what they say may change between two requests; of the body there is one for all times.
struct DatedResponse: ~Copyable {
  private let response: OpaquePointer
  /// Where the library keeps what `Date` says.
  private let place: UnsafeMutablePointer<UInt8>
  private var second: Int

  /// Nil for a response that the library cannot keep like this.
  init?(_ value: Response, at now: DateText) {
    guard let response = WireResponse.make(value.body) else { return nil }
    let joined = JoinedFields(fields: value.fields, id: nil, date: now).add(to: response)
    guard let joined else {
      MHD_destroy_response(response)
      return nil
    }
    self.response = response
    place = joined
    second = now.second
  }

  deinit { MHD_destroy_response(response) }

  /// Sends it as the answer of `connection`, which is the worker's own.
  mutating func queue(
    status: UInt32, on connection: OpaquePointer, at now: DateText
  ) -> MHD_Result {
    if second != now.second {
      second = now.second
      memcpy(place, now.bytes, DateText.count)
    }
    return MHD_queue_response(connection, status, response)
  }
}
