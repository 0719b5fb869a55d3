import Glibc

/// The entry point for libFuzzer. No input may cause a trap, and each valid head must satisfy the
/// checks below. `run` compiles it into one module with the sources.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let head = try? HeadParser().parse(bytes) {
    checkHead(head)
    checkParts(Request(head: head))
    checkRestored(bytes)
  }
  // These functions must not trap for invalid input either.
  _ = bytes[...].percentDecoded(plusIsSpace: true)
  _ = try? Query(bytes[...])
  _ = bytes[...].pathSegments
  checkHost(bytes[...])
  _ = EntityTag(Fingerprint(bytes))
  _ = AccessLogEntry(RejectedRequest(.malformedField, head: PartialHead(bytes)), at: "")
  return 0
}

private func checkHead(_ head: Head) {
  let bytes = head.bytes
  precondition(bytes.suffix(4) == [13, 10, 13, 10], "A head ends with an empty line.")
  for (index, byte) in bytes.enumerated() {
    switch byte {
    case 10: precondition(bytes[index - 1] == 13, "HeadParser accepts a bare LF.")
    case 13: precondition(bytes[index + 1] == 10, "HeadParser accepts a bare CR.")
    case 9: precondition(index > 0)
    case 0..<32, 127: preconditionFailure("HeadParser accepts a control character.")
    default: break
    }
  }
  var hosts = 0
  var lengths = 0
  var codings = 0
  for line in FieldLines(head) {
    precondition(!line.name.isEmpty && !line.name.contains { $0 <= 32 || $0 == 58 })
    if line.name.equalsIgnoringCase("host") {
      hosts += 1
      precondition(Host.isValid(line.value), "HeadParser accepts an invalid Host.")
      checkHost(line.value)
    }
    if line.name.equalsIgnoringCase("content-length") { lengths += 1 }
    if line.name.equalsIgnoringCase("transfer-encoding") { codings += 1 }
  }
  precondition(
    hosts == 1 || hosts == 0 && !head.isHTTP11, "HeadParser accepts a missing or repeated Host.")
  switch head.length {
  case .none: precondition(lengths == 0 && codings == 0)
  case .bytes: precondition(lengths == 1 && codings == 0)
  case .chunked: precondition(lengths == 0 && codings == 1 && head.isHTTP11)
  }
  precondition(head.path.first == 0x2F || head.path.equals("*"))
}

/// An address in brackets must be valid for the system too. A port must have 16 bits.
private func checkHost(_ host: Bytes) {
  guard Host.isValid(host) else { return }
  var rest = host
  if host.first == 0x5B, let end = host.firstIndex(of: 0x5D) {
    let address = host[..<end].dropFirst()
    var parsed = in6_addr()
    precondition(
      address.first == 0x76 || address.first == 0x56
        || inet_pton(AF_INET6, address.text, &parsed) == 1,
      "Host.isValid accepts an invalid address.")
    rest = host[(end + 1)...]
  }
  let port = rest.split(separator: 0x3A, omittingEmptySubsequences: false).dropFirst()
  precondition(
    port.allSatisfy { $0.isEmpty || UInt16($0.text) != nil },
    "Host.isValid accepts an invalid port.")
}

private func checkParts(_ request: Request) {
  _ = try? Query(request)
  _ = request.ifNoneMatchLists(EntityTag("a"))
  if let segments = request.path.pathSegments {
    for segment in segments {
      precondition(segment != [46, 46], "HeadParser accepts a path with dot segments.")
    }
  }
}

/// Changes a valid head as libmicrohttpd does, and restores it.
private func checkRestored(_ sent: [UInt8]) {
  var image = sent.map { CChar(bitPattern: $0) } + [0]
  image.withUnsafeMutableBufferPointer { image in
    guard let start = image.baseAddress else { return }
    let target = (sent.firstIndex(of: 32) ?? 0) + 1
    let version = target + (sent[target...].firstIndex(of: 32) ?? 0) - target + 1
    start[target - 1] = 0
    start[version - 1] = 0
    let maskedQuery = RawHead.maskQuery(of: start + target)
    if let maskedQuery { maskedQuery.question.pointee = 0 }
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
    let head = RawHead(
      method: start, version: start + version, count: sent.count, maskedQuery: maskedQuery)
    precondition(head.bytes == sent, "RawHead restores a different head.")
  }
}
