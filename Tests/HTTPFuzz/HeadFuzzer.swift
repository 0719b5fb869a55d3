import Glibc

/// The entry point of libFuzzer, for any bytes. No function may trap, and a head that `HeadParser`
/// accepts must be well formed. This file is compiled into one module with the sources.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let head = try? HeadParser().admit(bytes) {
    checkHead(head)
    checkParts(Request(head: head))
    checkRestored(bytes)
  }
  // These functions must accept bytes that HeadParser has not checked.
  _ = bytes[...].percentDecoded(plusIsSpace: true)
  _ = try? Query(bytes[...])
  _ = PathSegments(bytes[...])
  checkHost(bytes[...])
  _ = EntityTag(hashing: bytes)
  _ = AccessLine(RejectedRequest(.malformedField, glimpse: PartialHead(of: bytes)), at: "")
  return 0
}

private func checkHead(_ head: Head) {
  let bytes = head.bytes
  precondition(bytes.suffix(4) == [13, 10, 13, 10], "A head ends with an empty line.")
  for (index, byte) in bytes.enumerated() {
    switch byte {
    case 10: precondition(bytes[index - 1] == 13, "A bare LF was accepted.")
    case 13: precondition(bytes[index + 1] == 10, "A bare CR was accepted.")
    case 9: precondition(index > 0)
    case 0..<32, 127: preconditionFailure("A control character was accepted.")
    default: break
    }
  }
  var hosts = 0
  var lengths = 0
  var codings = 0
  for line in FieldLines(head) {
    precondition(!line.name.isEmpty && !line.name.contains { $0 <= 32 || $0 == 58 })
    if line.name.spellsIgnoringCase("host") {
      hosts += 1
      precondition(Host.isWellFormed(line.value), "A malformed Host was accepted.")
      checkHost(line.value)
    }
    if line.name.spellsIgnoringCase("content-length") { lengths += 1 }
    if line.name.spellsIgnoringCase("transfer-encoding") { codings += 1 }
  }
  precondition(hosts == 1 || hosts == 0 && !head.isHTTP11, "The host is ambiguous.")
  switch head.length {
  case .none: precondition(lengths == 0 && codings == 0)
  case .bytes: precondition(lengths == 1 && codings == 0)
  case .chunked: precondition(lengths == 0 && codings == 1 && head.isHTTP11)
  }
  precondition(head.path.first == 0x2F || head.path.spells("*"))
}

/// An accepted address in brackets must be valid for inet_pton, and a port must have 16 bits.
private func checkHost(_ host: Bytes) {
  guard Host.isWellFormed(host) else { return }
  var rest = host
  if host.first == 0x5B, let end = host.firstIndex(of: 0x5D) {
    let address = host[..<end].dropFirst()
    var place = in6_addr()
    precondition(
      address.first == 0x76 || address.first == 0x56
        || inet_pton(AF_INET6, address.text, &place) == 1,
      "A malformed address was accepted.")
    rest = host[(end + 1)...]
  }
  let port = rest.split(separator: 0x3A, omittingEmptySubsequences: false).dropFirst()
  precondition(
    port.allSatisfy { $0.isEmpty || UInt16($0.text) != nil }, "An invalid port was accepted.")
}

private func checkParts(_ request: Request) {
  _ = try? Query(request)
  _ = request.holds(EntityTag("a"))
  if let segments = PathSegments(request.path)?.segments {
    for segment in segments {
      precondition(segment != [46, 46], "A path contains .. as a segment.")
    }
  }
}

/// Changes an accepted head as libmicrohttpd's parser does, and checks that `WireHead` restores it.
private func checkRestored(_ sent: [UInt8]) {
  var image = sent.map { CChar(bitPattern: $0) } + [0]
  image.withUnsafeMutableBufferPointer { image in
    guard let start = image.baseAddress else { return }
    let target = (sent.firstIndex(of: 32) ?? 0) + 1
    let version = target + (sent[target...].firstIndex(of: 32) ?? 0) - target + 1
    start[target - 1] = 0
    start[version - 1] = 0
    let mark = WireHead.hideQuery(of: start + target)
    if let mark { mark.place.pointee = 0 }
    var line = version
    var isFirst = true
    while line < sent.count {
      let end = sent[line...].firstIndex(of: 13) ?? sent.count
      if !isFirst, end > line, let colon = sent[line..<end].firstIndex(of: 58) { start[colon] = 0 }
      start[end] = 0
      start[end + 1] = 0
      line = end + 2
      isFirst = false
    }
    let head = WireHead(
      method: start, version: start + version, count: sent.count, mark: mark)
    precondition(head.bytes == sent, "WireHead did not restore the head.")
  }
}
