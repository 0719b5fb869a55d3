import CMicrohttpd
private import Glibc
import HTTP
private import Synchronization

/// Requests that are refused, by the gate or by the library, which parses before the gate can look.
///
/// The library says that it refuses, but not whom. A head that is there as a whole goes to the
/// handler in one go, unless its Content-Length is refused: so a head without handler and without
/// answer is the one. Such a refusal has to be taken out of the library's hands: it would write its
/// answer's head twice, since it goes on as if it had none. Of the others those are found when they
/// are answered; of a request line nobody can say whose it was.
extension Worker {
  /// Tells those who count and log that the request of `conversation` is refused, and gives its
  /// answer the request's id.
  func refused(_ refusal: RejectionReason, of conversation: Connection, _ glimpse: PartialHead) {
    tell(
      RejectedRequest(refusal, from: conversation.peer, glimpse: glimpse, id: requestIDs?.next()),
      of: conversation)
  }

  /// The same, and answers it at once, where the library would not.
  func refuse(_ refusal: RejectionReason, of conversation: Connection, _ glimpse: PartialHead) {
    refused(refusal, of: conversation, glimpse)
    EarlyRejection(refusal).send(
      to: conversation.socket, id: conversation.requestID,
      adding: handler.fields(refusing: glimpse))
  }

  private func tell(_ refused: RejectedRequest, of conversation: Connection) {
    conversation.requestID = refused.id
    conversation.step = .answered
    for observer in observers { observer.refused(refused) }
  }

  /// The library is about to answer a request with `status` by itself.
  func refusing(status: Int) {
    let found = table.withLock { table in
      table.conversations.values.first { $0.isRefusedForItsLength }
    }
    guard let found else {
      announced.withLock { $0.append(status) }
      return
    }
    // What the library writes then finds the socket shut.
    refuse(status == 413 ? .bodyTooLarge : .malformedLength, of: found, found.glimpse)
  }

  /// Counts the request of `conversation`, which ends without an answer of the handler's, where the
  /// library has given one, or the daemon because its head was too slow.
  func noteRefusal(of conversation: Connection, _ connection: OpaquePointer) {
    let slow = conversation.refusedAsSlow
    if slow.is {
      var glimpse = PartialHead()
      glimpse.target = conversation.targetLeft
      tell(
        RejectedRequest(.tooSlow, from: conversation.peer, glimpse: glimpse, id: slow.id),
        of: conversation)
      return
    }
    let status = Int(carousel_status(connection))
    guard status >= 400 else { return }
    announced.withLock { announced in
      if let place = announced.firstIndex(of: status) { announced.remove(at: place) }
    }
    guard conversation.awaitsAnswer else { return }
    tell(
      RejectedRequest(
        RejectionReason(library: status, inHead: conversation.isInHead), from: conversation.peer,
        glimpse: conversation.head.map { PartialHead($0) } ?? conversation.glimpseLeft),
      of: conversation)
  }

  /// Counts a first line that was too slow, or that the library has closed its connection for
  /// without a word. Only a connection without any request is looked at: the others cost nothing.
  func noteSilence(of conversation: Connection) {
    let slow = conversation.refusedAsSlow
    if slow.is {
      tell(RejectedRequest(.tooSlow, from: conversation.peer, id: slow.id), of: conversation)
      return
    }
    guard conversation.isUnasked(within: silenceLimit), !isDraining.load(ordering: .relaxed),
      carousel_was_left_unanswered(conversation.socket)
    else { return }
    tell(RejectedRequest(.malformedRequestLine, from: conversation.peer), of: conversation)
  }

  /// Counts what the library has answered on connections that are gone and had no request yet: it
  /// did not get past their first line.
  func settleRefusals() {
    let lines = announced.withLock { announced -> [Int] in
      guard !announced.isEmpty else { return [] }
      let underWay = table.withLock { table in
        table.conversations.values.filter(\.awaitsAnswer).map {
          Int(carousel_status($0.connection))
        }
      }
      var rest = announced
      announced = underWay.compactMap { status in
        rest.firstIndex(of: status).map { rest.remove(at: $0) }
      }
      return rest
    }
    for status in lines {
      let refused = RejectedRequest(
        status == 400 ? .malformedRequestLine : RejectionReason(library: status))
      for observer in observers { observer.refused(refused) }
    }
  }
}

extension RejectionReason {
  /// What the library means by `status`.
  fileprivate init(library status: Int, inHead: Bool = true) {
    self =
      switch status {
      case 413: .bodyTooLarge
      case 414: .targetTooLong
      case 431: .headTooLarge
      case 505: .unknownVersion
      default: inHead ? .malformedField : .malformedChunk
      }
  }
}

extension Connection {
  fileprivate var isInHead: Bool {
    if case .head = step { true } else { false }
  }

  /// Whether the library's own refusal of this moment is that of this head, by its Content-Length.
  /// One that is being answered already, in whatever way, is never meant.
  fileprivate var isRefusedForItsLength: Bool {
    awaitsAnswer && isInHead && carousel_has_whole_head(connection)
      && carousel_status(connection) == 0 && field("Content-Length") != nil
  }

  /// What the library knows of a head that is there as a whole.
  fileprivate var glimpse: PartialHead {
    var glimpse = PartialHead()
    glimpse.target = wholeTarget
    if let id = field("X-Request-Id") { glimpse.note(requestID: id) }
    if let trace = field("traceparent") { glimpse.note(trace: trace) }
    glimpse.origin = field("Origin")
    return glimpse
  }

  /// The same where a request ends early, as far as it is there still.
  fileprivate var glimpseLeft: PartialHead { isMemoryLeft ? glimpse : PartialHead() }

  /// The target, likewise.
  fileprivate var targetLeft: Bytes? { isMemoryLeft ? wholeTarget : nil }

  /// Whether the lines that have come lie where they were. The library gives the memory behind them
  /// to its own answer, and all of it where that is not enough: then it knows no field either, and
  /// there is one of each request, since `begin` adds it.
  private var isMemoryLeft: Bool { field("Cookie") != nil }

  private var wholeTarget: Bytes? {
    guard let target else { return nil }
    var bytes = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
    if let mark, mark.next != 0 {
      bytes += [UInt8(ascii: "?"), UInt8(bitPattern: mark.next)]
      let rest = UnsafePointer(mark.place + 2)
      bytes += UnsafeRawBufferPointer(start: rest, count: strlen(rest))
    }
    return bytes[...]
  }

  /// The value of the first field named `name`.
  private func field(_ name: String) -> Bytes? {
    var length = 0
    return carousel_field(connection, name, &length).map {
      Array(UnsafeRawBufferPointer(start: $0, count: length))[...]
    }
  }
}
