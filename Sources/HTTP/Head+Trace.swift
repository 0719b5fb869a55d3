extension Head {
  /// The `traceparent` that the request belongs to (W3C, Trace Context, section 3.2): nil where there
  /// is none or it is malformed, which is to be ignored.
  ///
  /// It names the caller's own span. Nothing is called from here that it would have to be handed on
  /// to, so it is kept as it came.
  package var traceParent: Bytes? {
    guard let trace = value(of: "traceparent"), trace.isTraceParent else { return nil }
    return trace
  }
}

extension Bytes {
  /// Whether these are a `traceparent`.
  var isTraceParent: Bool {
    let parts = split(
      separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
    guard (4...5).contains(parts.count), count <= 256,
      parts[..<4].map(\.count) == [2, 32, 16, 2],
      parts[..<4].joined().allSatisfy({ $0.hexadecimal != nil && $0 == $0.lowercased }),
      !parts[0].spells("ff"), parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
    else { return false }
    // Only versions to come may say more.
    return parts.count == 4 || !parts[0].spells("00")
  }

  /// Whether these are 1 to 128 letters, digits and marks that need no escaping anywhere.
  var isRequestID: Bool {
    (1...128).contains(count) && allSatisfy(ASCIISet.requestID.contains)
  }
}
