import CMicrohttpd
private import Glibc
import HTTP

/// An answer that stands, and the head that asked for it.
final class CachedResponse {
  // What is looked at each time stands first, close together.
  let key: ResponseCache.Key
  /// The head as libmicrohttpd left it.
  let memory: [UInt8]
  let standing: CacheValidator
  private var wire: DatedResponse
  private let status: UInt32
  /// Bytes of the body that are sent.
  let count: Int
  private let route: StaticString?
  private let head: Head
  let response: Response

  /// The answer `response` to `request`, whose head was `memory`; nil where it cannot be kept.
  init?(
    _ key: ResponseCache.Key, _ memory: UnsafeRawBufferPointer, _ request: Request,
    _ response: Response, standing: CacheValidator, at now: DateText
  ) {
    guard let wire = DatedResponse(response, at: now) else { return nil }
    self.key = key
    self.memory = Array(memory)
    self.standing = standing
    self.wire = wire
    status = UInt32(response.status)
    count = response.sentCount(to: request.method)
    route = response.route
    head = request.head
    self.response = response
  }

  /// The same request, sent by `peer`.
  func request(from peer: Peer) -> Request { Request(head: head, peer: peer) }

  /// What those who count and log are told when it has been given to `peer`.
  func exchange(with peer: Peer) -> Exchange {
    Exchange(
      request: request(from: peer), status: Int(status), route: route, count: count, nanoseconds: 0)
  }

  /// Sends it as the answer of `connection`.
  func queue(on connection: OpaquePointer, at now: DateText) -> MHD_Result {
    wire.queue(status: status, on: connection, at: now)
  }

  /// About what it keeps in memory.
  var size: Int { response.body.count + memory.count * 2 + 1024 }
}

/// The answers of one worker that stand, found by the whole head that asked for them.
///
/// The gate, the routes and a response's fields are functions of a head's bytes, so the same bytes
/// get the same answer for as long as it stands: nothing is read, and nothing made, a second time.
///
///     head ── fingerprint ──► one of 512 sets of eight, where the one given least lately makes room
///
/// - Complexity: O(length of the head); memory is bounded by the number of places and by a limit.
final class ResponseCache: @unchecked Sendable {
  // Its worker's thread alone touches it.
  struct Key: Equatable {
    let print: UInt64
    let marks: WireHead.Marks
  }

  private static let setCount = 512
  private static let setSize = 8
  /// Longer heads and bodies are answered in the ordinary way.
  private static let headLimit = 2048
  private static let bodyLimit = 256 << 10

  private var places = [CachedResponse?](repeating: nil, count: setCount * setSize)
  /// The fingerprints of those in the places, so that no other answer is touched than the right one.
  private var prints = [UInt64](repeating: 0, count: setCount * setSize)
  /// When those in the places were given last, on a clock that ticks with each.
  private var ticks = [Int](repeating: 0, count: setCount * setSize)
  private var now = 0
  private var size = 0
  private let limit: Int

  /// - Parameter limit: bytes that the answers come to at most, about.
  init(limit: Int = 16 << 20) { self.limit = limit }

  /// What answers to `head` are kept by; nil where it is too long.
  static func key(of head: WireHead) -> Key? {
    guard head.count <= headLimit else { return nil }
    return Key(print: Fingerprint(head.memory).half, marks: head.marks)
  }

  /// The answer to `head`, whose key is `key`, if there is one that stands.
  func find(_ key: Key, _ head: WireHead) -> CachedResponse? {
    let first = place(of: key)
    for place in first..<first + Self.setSize where prints[place] == key.print {
      guard let answer = places[place], answer.key == key, answer.isFor(head) else { continue }
      guard answer.standing.holds() else {
        put(nil, at: place)
        return nil
      }
      touch(place)
      return answer
    }
    return nil
  }

  /// Keeps `answer`, in the place of the one of its set that was given least lately.
  func keep(_ answer: CachedResponse) {
    guard answer.memory.count <= Self.headLimit, answer.response.body.count <= Self.bodyLimit else {
      return
    }
    if size + answer.size > limit { for place in places.indices { put(nil, at: place) } }
    let first = place(of: answer.key)
    let set = first..<first + Self.setSize
    let oldest = set.min { ticks[$0] < ticks[$1] } ?? first
    put(answer, at: oldest)
    touch(oldest)
  }

  private func put(_ answer: CachedResponse?, at place: Int) {
    size += (answer?.size ?? 0) - (places[place]?.size ?? 0)
    places[place] = answer
    prints[place] = answer?.key.print ?? 0
    ticks[place] = 0
  }

  private func touch(_ place: Int) {
    now += 1
    ticks[place] = now
  }

  private func place(of key: Key) -> Int {
    Int(key.print % UInt64(Self.setCount)) * Self.setSize
  }
}

extension CachedResponse {
  /// Whether `head` is the head that this answers.
  fileprivate func isFor(_ head: WireHead) -> Bool {
    memory.withUnsafeBytes { own in
      guard let start = own.baseAddress, own.count == head.count else { return false }
      return memcmp(start, head.method, head.count) == 0
    }
  }
}
