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
///     return .response(try representation.response(to: request))
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
  package func response(to request: Request) throws(Problem) -> Response {
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

  /// Whether ``response(to:)`` compresses the body. That can take seconds.
  package func compresses(for request: Request) -> Bool {
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
    all.append(Field("ETag", tag(in: encoded == nil ? .identity : coding).value))
    return Response(fields: all, body: .bytes(encoded ?? bytes))
  }
}

/// The responses of a representation, one for each coding that was requested.
private final class CodedResponses: Sendable {
  private let responses = Mutex<[(coding: ContentCoding, response: Response)]>([])

  func has(_ coding: ContentCoding) -> Bool {
    responses.withLock { $0.contains { $0.coding == coding } }
  }

  /// The stored response in a coding, or else a new one.
  ///
  /// `make` runs without the lock, because compression takes long. If two threads call `make`, the first response is kept.
  func find(_ coding: ContentCoding, or make: () -> Response) -> Response {
    if let known = responses.withLock({ $0.first { $0.coding == coding } }) {
      return known.response
    }
    let made = make()
    return responses.withLock { responses in
      if let known = responses.first(where: { $0.coding == coding }) { return known.response }
      responses.append((coding, made))
      return made
    }
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
