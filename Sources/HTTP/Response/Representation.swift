import Synchronization

/// The header fields that all responses of one kind share.
package struct HeaderTemplate: Sendable {
  /// The fields of a response that is never compressed.
  let plain: [Field]
  /// The fields of a response whose coding depends on the request.
  let negotiated: [Field]
  /// Whether the media type is text. Only text is compressed.
  let isText: Bool

  /// - Parameters:
  ///   - fields: the headers besides Content-Type, Content-Encoding, ETag and Vary.
  ///   - varying: the request headers that the response depends on, besides Accept-Encoding.
  package init(_ type: String, _ fields: [Field] = [], varying: [String] = []) {
    let all = [Field("Content-Type", type)] + fields
    plain = varying.isEmpty ? all : all + [Field("Vary", varying.joined(separator: ", "))]
    negotiated =
      all + [Field("Vary", (varying + ["Accept-Encoding"]).joined(separator: ", "))]
    isText = MediaType.isText(type)
  }
}

/// The body and the headers of a resource, in each content coding.
///
///     let windows = HeaderTemplate("application/json", [Field("Cache-Control", "no-cache")])
///     let representation = Representation(json, windows, encoder: compressor)
///     return .response(try representation.answer(to: request))
///
/// Each coding has its own strong entity tag. It is a hash of the plain body.
package struct Representation: Sendable {
  private let bytes: [UInt8]
  private let hash: Fingerprint
  private let revision: Int64?
  private let fields: [Field]
  private let encoder: (any ContentEncoder)?
  /// The responses of a reused representation.
  private let responses: CodedResponses?

  /// Shorter bodies are not compressed: the gain is below one network packet.
  private static let compressionThreshold = 1024

  /// - Parameters:
  ///   - revision: the revision that the entity tag starts with. Nil for none.
  ///   - encoder: nil to send the bytes without compression.
  ///   - isReused: whether the representation answers many requests. It then stores its responses, and
  ///     prefers small codings to fast ones.
  package init(
    _ bytes: [UInt8], _ template: HeaderTemplate, revision: Int64? = nil,
    encoder: (any ContentEncoder)? = nil, isReused: Bool = false
  ) {
    let isNegotiated =
      encoder != nil && template.isText && bytes.count >= Self.compressionThreshold
    self.bytes = bytes
    hash = Fingerprint(bytes)
    self.revision = revision
    fields = isNegotiated ? template.negotiated : template.plain
    self.encoder = isNegotiated ? encoder : nil
    responses = isReused ? CodedResponses() : nil
  }

  /// In bytes, not compressed.
  package var count: Int { bytes.count }

  /// The response to `request`: 200, or 304 if the client has it.
  ///
  /// - Throws: 406 if the client accepts no coding that the server has.
  package func answer(to request: Request) throws(Problem) -> Response {
    guard let coding = encoder == nil ? .identity : coding(for: request) else {
      throw Problem(
        status: 406, detail: "Accept-Encoding must allow br, gzip or identity.",
        fields: [Field("Vary", "Accept-Encoding")])
    }
    // A 304 has the same Content-Length as the 200 (RFC 9110 section 8.6), so it is compressed too.
    let response =
      responses?.find(coding) { makeResponse(in: coding).preparedForReuse() }
      ?? makeResponse(in: coding)
    return response.conditional(on: request, tag(in: coding))
  }

  /// Whether ``answer(to:)`` compresses the body. That can take seconds.
  package func compresses(answering request: Request) -> Bool {
    guard encoder != nil, let coding = coding(for: request) else { return false }
    return coding != .identity && responses?.has(coding) != true
  }

  /// The coding that the client has, or else the best one. Nil if the client accepts none.
  private func coding(for request: Request) -> ContentCoding? {
    let accepted = request.head.acceptedCodings
    let preference = responses == nil ? ContentCoding.fastest : ContentCoding.smallest
    guard request.head.ifNoneMatchLines != nil else { return accepted.best(of: preference) }
    return preference.first { accepted.allows($0) && request.ifNoneMatchLists(tag(in: $0)) }
      ?? accepted.best(of: preference)
  }

  private func tag(in coding: ContentCoding) -> EntityTag {
    EntityTag(hash, in: coding, of: revision)
  }

  private func makeResponse(in coding: ContentCoding) -> Response {
    let encoded = coding == .identity ? nil : encoder?.encode(bytes, in: coding)
    var all: [Field] = []
    // Room for the fields that later steps add.
    all.reserveCapacity(fields.count + 4)
    all += fields
    if encoded != nil { all.append(Field("Content-Encoding", coding.rawValue)) }
    all.append(Field("ETag", tag(in: coding).value))
    return Response(fields: all, body: .bytes(encoded ?? bytes))
  }
}

/// The responses of a representation, one for each coding that was requested.
private final class CodedResponses: Sendable {
  private let responses = Mutex<[(coding: ContentCoding, response: Response)]>([])

  func has(_ coding: ContentCoding) -> Bool {
    responses.withLock { $0.contains { $0.coding == coding } }
  }

  /// Calls `make` without the lock, because compression takes long. Two threads may both call it.
  func find(_ coding: ContentCoding, or make: () -> Response) -> Response {
    if let known = responses.withLock({ $0.first { $0.coding == coding } }) {
      return known.response
    }
    let response = make()
    responses.withLock { $0.append((coding, response)) }
    return response
  }
}

/// Caches the server's form of a ``Response`` that is sent many times.
///
/// It belongs to one set of fields and one body. A response that changes either of them loses it.
package final class PreparedResponse: Sendable {
  private let stored = Mutex<Handle?>(nil)

  /// Nil if no thread has made it yet.
  package var handle: Handle? { stored.withLock { $0 } }

  /// Stores `handle`, unless another thread was faster.
  package func storeIfNil(_ handle: Handle) { stored.withLock { $0 = $0 ?? handle } }

  package final class Handle: @unchecked Sendable {
    // The pointer never changes. The server locks the object behind it.
    package let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// Takes ownership of `pointer`, which `release` frees.
    package init(_ pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
      self.pointer = pointer
      self.release = release
    }

    deinit { release(pointer) }
  }
}

/// A content coding: how the bytes of a response are compressed (RFC 9110 section 8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip
  case identity

  static let fastest = [gzip, brotli]
  package static let smallest = [brotli, gzip]
}

package protocol ContentEncoder: Sendable {
  /// Nil if that fails. The result is deterministic, so that an entity tag can identify it.
  func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]?
}

/// The weights of the codings in `Accept-Encoding`, in thousandths. Nil for a coding that is not listed.
package struct AcceptedCodings {
  private var brotli: Int?
  private var gzip: Int?
  private var identity: Int?
  private var others: Int?

  /// The coding with the highest weight. Nil if the client accepts none of them.
  ///
  /// - Parameter preference: the server's codings. Among equal weights the first one is best. Identity
  ///   comes after them, and needs no weight.
  package func best(of preference: [ContentCoding]) -> ContentCoding? {
    var best: ContentCoding?
    var bestRank = 0
    for coding in preference where rank(coding) > bestRank {
      best = coding
      bestRank = rank(coding)
    }
    return rank(.identity) > bestRank ? .identity : best
  }

  func allows(_ coding: ContentCoding) -> Bool { rank(coding) > 0 }

  /// Twice the weight; 1 for identity if it is neither listed nor excluded.
  private func rank(_ coding: ContentCoding) -> Int {
    switch coding {
    case .brotli: (brotli ?? others ?? 0) * 2
    case .gzip: (gzip ?? others ?? 0) * 2
    case .identity: identity.map { $0 * 2 } ?? (others == 0 ? 0 : 1)
    }
  }

  /// Adds the codings of a comma-separated list.
  mutating func append(_ list: Bytes) {
    list.withUnsafeBufferPointer { list in
      var rest = list[...]
      while !rest.isEmpty {
        let element = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[element.endIndex...].dropFirst()
        let name = element.prefix { $0 != UInt8(ascii: ";") }
        append(name.trimmed, element[name.endIndex...].dropFirst().trimmed.weight)
      }
    }
  }

  private mutating func append(_ name: UnsafeBytes, _ weight: Int) {
    if name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip") {
      gzip = weight
    } else if name.equalsIgnoringCase("br") {
      brotli = weight
    } else if name.equalsIgnoringCase("identity") {
      identity = weight
    } else if name.equalsIgnoringCase("*") {
      others = weight
    }
  }
}

extension UnsafeBytes {
  /// `q=0.5` as 500. 1000 for no parameter, 0 for a malformed weight (RFC 9110 section 12.4.2).
  var weight: Int {
    guard !isEmpty else { return 1000 }
    guard prefix(2).equalsIgnoringCase("q=") else { return 0 }
    let number = dropFirst(2)
    guard let whole = number.first, whole.isDigit, number.count <= 5,
      number.count == 1 || number.dropFirst().first == UInt8(ascii: ".")
    else { return 0 }
    var weight = Int(whole - UInt8(ascii: "0")) * 1000
    var unit = 100
    for digit in number.dropFirst(2) {
      guard digit.isDigit else { return 0 }
      weight += Int(digit - UInt8(ascii: "0")) * unit
      unit /= 10
    }
    return weight > 1000 ? 0 : weight
  }
}

extension Request {
  /// Whether `Accept` names a media type, with a weight above 0 (RFC 9110 section 12.5.1).
  package func accepts(_ type: StaticString) -> Bool {
    self["accept"]?.split(separator: UInt8(ascii: ",")).contains { range in
      let parts = range.split(separator: UInt8(ascii: ";")).map(\.trimmed)
      let weight = parts.dropFirst().last { $0.prefix(2).equalsIgnoringCase("q=") }
      return parts.first?.equalsIgnoringCase(type) == true
        && weight?.withUnsafeBufferPointer { $0[...].weight } != 0
    } ?? false
  }

  /// The primary tags of `Accept-Language`, the preferred ones first (RFC 9110 section 12.5.4).
  package var acceptedLanguages: [String] {
    guard let list = self["accept-language"] else { return [] }
    return list.split(separator: UInt8(ascii: ","))
      .map { range in
        let parts = range.split(separator: UInt8(ascii: ";"), maxSplits: 1)
        let weight = parts.dropFirst().first?.withUnsafeBufferPointer { $0[...].trimmed.weight }
        return (tag: parts.first?.trimmed.primaryTag ?? "", weight: weight ?? 1000)
      }
      .filter { $0.weight > 0 }
      .sorted { $0.weight > $1.weight }
      .map(\.tag)
  }
}

extension Bytes {
  /// The first subtag of a language tag in lower case: `de` for `de-AT` (RFC 5646).
  package var primaryTag: String { prefix { $0 != UInt8(ascii: "-") }.text.lowercased() }
}
