import CMicrohttpd
private import Glibc
import HTTP
private import Synchronization

/// A valid response, and the head of the request that it answers.
final class CachedResponse {
  // Each lookup reads the first properties, so they are close together in memory.
  let key: ResponseCache.Key
  /// The head as libmicrohttpd left it.
  let memory: [UInt8]
  let validator: CacheValidator
  private var wire: DatedResponse
  private let status: UInt32
  /// The number of body bytes that are sent.
  let count: Int
  private let route: StaticString?
  let head: Head
  let response: Response

  /// - Parameter memory: the head of `request` as libmicrohttpd left it.
  /// - Returns: nil if the response cannot be cached.
  init?(
    _ key: ResponseCache.Key, _ memory: UnsafeRawBufferPointer, _ request: Request,
    _ response: Response, validator: CacheValidator, at now: HTTPDate
  ) {
    guard let wire = DatedResponse(response, at: now) else { return nil }
    self.key = key
    self.memory = Array(memory)
    self.validator = validator
    self.wire = wire
    status = UInt32(response.status)
    count = response.sentCount(to: request.method)
    route = response.route
    head = request.head
    self.response = response
  }

  /// The request that `peer` has sent.
  func request(from peer: Peer) -> Request { Request(head: head, peer: peer) }

  /// The exchange with `peer`, for the observers.
  func exchange(with peer: Peer) -> Exchange {
    Exchange(
      request: request(from: peer), status: Int(status), route: route, count: count, nanoseconds: 0)
  }

  func queue(on connection: OpaquePointer, at now: HTTPDate) -> MHD_Result {
    wire.queue(status: status, on: connection, at: now)
  }

  /// The approximate size in memory, in bytes.
  var size: Int { response.body.count + memory.count * 2 + 1024 }

  /// Whether the response answers a request with this head.
  fileprivate func answers(_ head: WireHead) -> Bool {
    memory.withUnsafeBytes { own in
      guard let start = own.baseAddress, own.count == head.count else { return false }
      return memcmp(start, head.method, head.count) == 0
    }
  }
}

/// A worker's cache of valid responses. The key is the whole head of the request.
///
/// A response with a ``CacheValidator`` depends on the head's bytes only. The same bytes therefore get
/// the same response while the validator holds.
///
/// The cache is 8-way set associative with 512 sets. A new response replaces the least recently used
/// one of its set.
///
/// - Complexity: O(length of the head).
final class ResponseCache: @unchecked Sendable {
  // Only the worker's thread uses it.
  struct Key: Equatable {
    let hash: UInt64
    let positions: WireHead.Positions
  }

  private static let setCount = 512
  private static let setSize = 8
  /// Longer heads and bodies are not cached.
  private static let headLimit = 2048
  private static let bodyLimit = 256 << 10

  private var entries = [CachedResponse?](repeating: nil, count: setCount * setSize)
  /// The hashes of the entries. They are apart from the entries, so that a lookup reads few cache
  /// lines.
  private var hashes = [UInt64](repeating: 0, count: setCount * setSize)
  /// The time of the last use of each entry, in uses of the cache.
  private var lastUses = [Int](repeating: 0, count: setCount * setSize)
  private var useCount = 0
  private var size = 0
  private let limit: Int

  /// - Parameter limit: the most bytes of all entries, approximately.
  init(limit: Int = 16 << 20) { self.limit = limit }

  /// The key of `head`. Nil if the head is too long.
  static func key(of head: WireHead) -> Key? {
    guard head.count <= headLimit else { return nil }
    return Key(hash: Fingerprint(head.memory).hash64, positions: head.positions)
  }

  /// The valid response to `head`, whose key is `key`.
  func find(_ key: Key, _ head: WireHead) -> CachedResponse? {
    for index in set(of: key) where hashes[index] == key.hash {
      guard let response = entries[index], response.key == key, response.answers(head) else {
        continue
      }
      guard response.validator.holds() else {
        replace(index, with: nil)
        return nil
      }
      recordUse(of: index)
      return response
    }
    return nil
  }

  /// Stores `response`. If the cache is full, it is emptied first.
  func store(_ response: CachedResponse) {
    guard response.memory.count <= Self.headLimit, response.response.body.count <= Self.bodyLimit
    else { return }
    if size + response.size > limit { for index in entries.indices { replace(index, with: nil) } }
    let set = set(of: response.key)
    let oldest = set.min { lastUses[$0] < lastUses[$1] } ?? set.lowerBound
    replace(oldest, with: response)
    recordUse(of: oldest)
  }

  private func replace(_ index: Int, with response: CachedResponse?) {
    size += (response?.size ?? 0) - (entries[index]?.size ?? 0)
    entries[index] = response
    hashes[index] = response?.key.hash ?? 0
    lastUses[index] = 0
  }

  private func recordUse(of index: Int) {
    useCount += 1
    lastUses[index] = useCount
  }

  private func set(of key: Key) -> Range<Int> {
    let first = Int(key.hash % UInt64(Self.setCount)) * Self.setSize
    return first..<first + Self.setSize
  }
}

extension Worker {
  /// Caches `response` if it has a validator.
  func cacheResponse(
    _ response: Response, to request: Request, _ head: WireHead, of connection: Connection
  ) {
    // libmicrohttpd can change the head after the lookup. It would then have the key of another head.
    // A request with an expectation needs `carousel_ignore_expectation` each time.
    guard let validator = response.cacheValidator, response.prepared != nil,
      request.head.length == .none, !request.head.hasExpectation,
      let key = connection.cacheKey, key == ResponseCache.key(of: head),
      let cached = CachedResponse(
        key, head.memory, request, response, validator: validator, at: clock.now)
    else { return }
    cache.store(cached)
  }

  /// Sends a cached response.
  func send(_ cached: CachedResponse, on connection: Connection) -> MHD_Result {
    guard !isDraining.load(ordering: .relaxed),
      cached.count < AnswerBudget.smallestCount
        || connection.reserveAnswer(cached.response.body.bytes, in: answers)
    else {
      connection.head = cached.head
      if !observers.isEmpty {
        connection.observed = Connection.Observed(
          request: cached.request(from: connection.client), began: Nanoseconds.now)
      }
      return send(cached.response, on: connection)
    }
    connection.step = .answered
    for observer in observers {
      observer.answered(cached.exchange(with: connection.client), by: number)
    }
    connection.enter(.sending, sending: cached.count, now: .now)
    return cached.queue(on: connection.handle, at: clock.now)
  }
}
