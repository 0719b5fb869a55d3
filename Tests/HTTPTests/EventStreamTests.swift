import Synchronization
import Testing

@testable import HTTP

@Suite struct EventStreamTests {
  private func take(
    _ stream: EventStream, _ count: Int = 4096, wake: @escaping @Sendable () -> Void = {}
  )
    -> (EventStream.Piece, String)
  {
    var bytes = [UInt8](repeating: 0, count: count)
    let piece = bytes.withUnsafeMutableBytes { stream.take(into: $0, orWait: { wake }) }
    guard case .bytes(let length) = piece else { return (piece, "") }
    return (piece, bytes[..<length].text)
  }

  @Test func `An event is written as the standard has it`() {
    let stream = EventStream()
    stream.send(Event("revision", id: "7", data: "a\nb"))
    #expect(take(stream).1 == "event: revision\nid: 7\ndata: a\ndata: b\n\n")
    stream.sendHeartbeat()
    #expect(take(stream).1 == ":\n\n")
  }

  @Test func `A transport that waits is woken once`() {
    let woken = Counter()
    let stream = EventStream()
    #expect(take(stream, wake: { woken.add() }).0 == .nothingYet)
    stream.send(Event("a", data: ""))
    stream.send(Event("b", data: ""))
    #expect(woken.count == 1)
    #expect(take(stream, 9).1 == "event: a\n")
    #expect(take(stream).1 == "data: \n\nevent: b\ndata: \n\n")
  }

  @Test func `An end comes after what was sent, and is told once`() {
    let ended = Counter()
    let woken = Counter()
    let stream = EventStream { ended.add() }
    #expect(take(stream, wake: { woken.add() }).0 == .nothingYet)
    stream.send(Event("a", data: ""))
    stream.end()
    stream.end()
    stream.send(Event("late", data: ""))
    #expect(take(stream).1 == "event: a\ndata: \n\n")
    #expect(take(stream).0 == .end)
    #expect(ended.count == 1)
    #expect(woken.count == 1)
  }

  @Test func `A client that does not keep up is let go`() {
    let ended = Counter()
    let stream = EventStream(limit: 100) { ended.add() }
    for _ in 0..<20 { stream.send(Event("a", data: "0123456789")) }
    #expect(ended.count == 1)
    #expect(take(stream).1.utf8.count <= 100)
    #expect(take(stream).0 == .end)
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
  }
}
