/// The header fields that all responses of one kind share.
///
///     let windows = HeaderTemplate("application/json", [Field("Cache-Control", "no-cache")])
///     let representation = Representation(json, windows, encoder: compressor)
package struct HeaderTemplate: Sendable {
  /// The fields of a response that is never compressed.
  let plain: [Field]
  /// The fields of a response whose coding depends on the request.
  let negotiated: [Field]
  /// Whether the media type is text. Only text is compressed.
  let isText: Bool

  /// - Parameters:
  ///   - type: the media type.
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
///     let representation = Representation(json, windows, encoder: compressor)
///     return .response(try representation.answer(to: request))
///
/// Each coding has its own strong entity tag. The tag is computed from the plain body. So a
/// comparison with `If-None-Match` needs no compression.
///
/// - Complexity: an answer parses `Accept-Encoding` and `If-None-Match`. It also compresses the bytes,
///   unless the representation is reused and was compressed before.
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
  ///   - template: the headers.
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

  /// The size of the plain body in bytes.
  package var count: Int { bytes.count }

  /// The answer to `request`: 200, or 304 if the client has it.
  ///
  /// - Throws: 406 if the client accepts no coding that the server has.
  package func answer(to request: Request) throws(Problem) -> Response {
    guard let coding = encoder == nil ? .identity : coding(for: request) else {
      throw Problem(
        status: 406, detail: "Accept-Encoding must allow zstd, br, gzip or identity.",
        fields: [Field("Vary", "Accept-Encoding")])
    }
    let tag = tag(in: coding)
    let response =
      if let responses {
        responses.find(coding) { makeResponse(in: coding, encode(in: coding)).preparedForReuse() }
      } else {
        // A 304 needs no body.
        makeResponse(in: coding, request.ifNoneMatchLists(tag) ? nil : encode(in: coding))
      }
    return response.conditional(on: request, tag)
  }

  /// The coding that the client has, or else the best one. Nil if the client accepts none.
  private func coding(for request: Request) -> ContentCoding? {
    let accepted = request.head.acceptedCodings
    let preference = responses == nil ? ContentCoding.fastest : ContentCoding.smallest
    if request.head.ifNoneMatchLines != nil {
      let stored = preference.first {
        accepted.allows($0) && request.ifNoneMatchLists(tag(in: $0))
      }
      if let stored { return stored }
    }
    return accepted.best(of: preference)
  }

  private func tag(in coding: ContentCoding) -> EntityTag {
    EntityTag(hash, in: coding, of: revision)
  }

  private func encode(in coding: ContentCoding) -> [UInt8]? {
    coding == .identity ? nil : encoder?.encode(bytes, in: coding)
  }

  private func makeResponse(in coding: ContentCoding, _ encoded: [UInt8]?) -> Response {
    var all: [Field] = []
    // Room for the fields that later steps add.
    all.reserveCapacity(fields.count + 4)
    all += fields
    if encoded != nil { all.append(Field("Content-Encoding", coding.rawValue)) }
    all.append(Field("ETag", tag(in: coding).value))
    return Response(fields: all, body: .bytes(encoded ?? bytes))
  }
}

/// The responses of a representation, one for each coding. Each is made when it is first requested.
private final class CodedResponses: Sendable {
  private final class Box: Sendable {
    let response: Response
    init(_ response: Response) { self.response = response }
  }

  private let zstd = OnceReference<Box>()
  private let brotli = OnceReference<Box>()
  private let gzip = OnceReference<Box>()
  private let identity = OnceReference<Box>()

  func find(_ coding: ContentCoding, or make: () -> Response) -> Response {
    switch coding {
    case .zstd: Self.find(zstd, or: make)
    case .brotli: Self.find(brotli, or: make)
    case .gzip: Self.find(gzip, or: make)
    case .identity: Self.find(identity, or: make)
    }
  }

  private static func find(
    _ reference: borrowing OnceReference<Box>, or make: () -> Response
  ) -> Response {
    (reference.load() ?? reference.storeIfNil(Box(make()))).response
  }
}
