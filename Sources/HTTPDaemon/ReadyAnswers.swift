private import Glibc
import HTTP

/// An answer that stands, and the head that asked for it.
final class ReadyAnswer {
  let key: ReadyAnswers.Key
  /// The head as libmicrohttpd left it.
  let memory: [UInt8]
  let request: Request
  let response: Response
  let standing: Standing
  let made: KeptForm.Made

  init(
    _ key: ReadyAnswers.Key, _ head: WireHead, _ request: Request, _ response: Response,
    standing: Standing, made: KeptForm.Made
  ) {
    self.key = key
    memory = Array(head.memory)
    self.request = request
    self.response = response
    self.standing = standing
    self.made = made
  }

  /// About what it keeps in memory.
  var size: Int { response.body.count + memory.count * 2 + 1024 }
}

/// The answers of one worker that stand, found by the whole head that asked for them.
///
/// The gate, the routes and a response's fields are functions of a head's bytes, so the same bytes
/// get the same answer for as long as it stands: nothing is read, and nothing made, a second time.
///
///     head ── fingerprint ──► one of 1024 sets of four, the answer given last in front
///
/// - Complexity: O(length of the head); memory is bounded by the number of places and by a limit.
final class ReadyAnswers: @unchecked Sendable {
  // Its worker's thread alone touches it.
  struct Key: Equatable {
    let print: UInt64
    let marks: WireHead.Marks
  }

  private static let setCount = 1024
  private static let setSize = 4
  /// Longer heads and bodies are answered in the ordinary way.
  private static let headLimit = 2048
  private static let bodyLimit = 256 << 10

  private var places = [ReadyAnswer?](repeating: nil, count: setCount * setSize)
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
  func find(_ key: Key, _ head: WireHead) -> ReadyAnswer? {
    let first = place(of: key)
    for place in first..<first + Self.setSize {
      guard let answer = places[place], answer.key == key, answer.isFor(head) else { continue }
      guard answer.standing.holds() else {
        size -= answer.size
        places[place] = nil
        return nil
      }
      if place > first { places.swapAt(first, place) }
      return answer
    }
    return nil
  }

  /// Keeps `answer`, in the place of the one of its set that was given least lately.
  func keep(_ answer: ReadyAnswer) {
    guard answer.memory.count <= Self.headLimit, answer.response.body.count <= Self.bodyLimit else {
      return
    }
    if size + answer.size > limit { empty() }
    let first = place(of: answer.key)
    let last = first + Self.setSize - 1
    size += answer.size - (places[last]?.size ?? 0)
    for place in (first..<last).reversed() { places[place + 1] = places[place] }
    places[first] = answer
  }

  private func empty() {
    for place in places.indices { places[place] = nil }
    size = 0
  }

  private func place(of key: Key) -> Int {
    Int(key.print % UInt64(Self.setCount)) * Self.setSize
  }
}

extension ReadyAnswer {
  /// Whether `head` is the head that this answers.
  fileprivate func isFor(_ head: WireHead) -> Bool {
    memory.withUnsafeBytes { own in
      guard let start = own.baseAddress, own.count == head.count else { return false }
      return memcmp(start, head.method, head.count) == 0
    }
  }
}
