import HTTP
import Synchronization
import Testing

@Suite struct EventStreamTests {
  private func read(
    _ stream: EventStream, _ count: Int = 4096, resume: @escaping @Sendable () -> Void = {}
  ) -> (count: Int?, text: String) {
    var bytes = [UInt8](repeating: 0, count: count)
    let count = bytes.withUnsafeMutableBytes { stream.read(into: $0, orSuspend: { resume }) }
    return (count, bytes[..<(count ?? 0)].text)
  }

  @Test func `an event is written as in the HTML standard`() {
    let stream = EventStream()
    stream.send(Event("revision", id: "7", data: "a\nb"))
    #expect(read(stream).text == "event: revision\nid: 7\ndata: a\ndata: b\n\n")
    stream.sendHeartbeat()
    #expect(read(stream).text == ":\n\n")
  }

  @Test func `a suspended reader is resumed once`() {
    let resumed = Counter()
    let stream = EventStream()
    #expect(read(stream, resume: { resumed.add() }).count == 0)
    stream.send(Event("a", data: ""))
    stream.send(Event("b", data: ""))
    #expect(resumed.count == 1)
    #expect(read(stream, 9).text == "event: a\n")
    #expect(read(stream).text == "data: \n\nevent: b\ndata: \n\n")
  }

  @Test func `the end comes after the sent events, and onEnd is called once`() {
    let ended = Counter()
    let resumed = Counter()
    let stream = EventStream { _ in ended.add() }
    #expect(read(stream, resume: { resumed.add() }).count == 0)
    stream.send(Event("a", data: ""))
    stream.end()
    stream.end()
    stream.send(Event("late", data: ""))
    #expect(read(stream).text == "event: a\ndata: \n\n")
    #expect(read(stream).count == nil)
    #expect(ended.count == 1)
    #expect(resumed.count == 1)
  }

  @Test func `the stream ends if the client is too slow`() {
    let ended = Counter()
    let stream = EventStream(limit: 100) { _ in ended.add() }
    for _ in 0..<20 { stream.send(Event("a", data: "0123456789")) }
    #expect(ended.count == 1)
    #expect(read(stream).text.utf8.count <= 100)
    #expect(read(stream).count == nil)
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
  }
}
