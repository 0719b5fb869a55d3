import Synchronization

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
  ///   - varying: a request header that the response depends on, besides Accept-Encoding.
  package init(_ type: String, _ fields: [Field] = [], varying: String? = nil) {
    let all = [Field("Content-Type", type)] + fields
    plain = varying.map { all + [Field("Vary", $0)] } ?? all
    negotiated = all + [Field("Vary", (varying.map { "\($0), " } ?? "") + "Accept-Encoding")]
    isText = MediaType.isText(type)
  }
}

/// The body and the headers of a resource, in each content coding.
///
///     let representation = Representation(json, windows, encoder: compressor)
///     return .response(try representation.answer(to: request))
///
/// Each coding has its own strong entity tag.
///
/// - Complexity: an answer parses `Accept-Encoding` and `If-None-Match`. It also compresses the bytes,
///   unless the representation is reused and was compressed before.
package struct Representation: Sendable {
  private struct Form {
    let response: Response
    let tag: EntityTag
  }

  /// The compressed forms of a reused representation. Each is made when it is first requested.
  private final class CompressedForms: Sendable {
    final class Made: Sendable {
      let form: Form
      init(_ form: Form) { self.form = form }
    }

    private let gzip = AtomicLazyReference<Made>()
    private let brotli = AtomicLazyReference<Made>()

    func load(_ coding: ContentCoding) -> Made? {
      coding == .gzip ? gzip.load() : brotli.load()
    }

    /// Stores `made` if no form is stored. Returns the stored form.
    func store(_ made: Made, _ coding: ContentCoding) -> Made {
      coding == .gzip ? gzip.storeIfNil(made) : brotli.storeIfNil(made)
    }
  }

  private let fields: [Field]
  private let encoder: (any ContentEncoder)?
  private let plain: Form
  private let compressed: CompressedForms?

  /// Shorter bodies are not compressed: the gain is below one network packet.
  private static let compressionThreshold = 1024

  /// - Parameters:
  ///   - template: the headers.
  ///   - encoder: nil to send the bytes without compression.
  ///   - isReused: whether the representation answers many requests. It then stores its compressed
  ///     forms and prepared responses.
  package init(
    _ bytes: [UInt8], _ template: HeaderTemplate, encoder: (any ContentEncoder)? = nil,
    isReused: Bool = false
  ) {
    let isNegotiated =
      encoder != nil && template.isText && bytes.count >= Self.compressionThreshold
    fields = isNegotiated ? template.negotiated : template.plain
    self.encoder = isNegotiated ? encoder : nil
    compressed = isNegotiated && isReused ? CompressedForms() : nil
    plain = Self.form(bytes, fields, EntityTag(hashing: bytes), isReused: isReused)
  }

  /// The size of the plain body in bytes.
  package var count: Int { plain.response.body.count }

  /// The answer to `request`: 200, or 304 if the client has it.
  ///
  /// - Throws: 406 if the client accepts no coding that the server has.
  package func answer(to request: Request) throws(Problem) -> Response {
    guard let coding = encoder == nil ? .identity : request.bestCoding else {
      throw Problem(
        status: 406, detail: "Accept-Encoding must allow br, gzip or identity.",
        fields: [Field("Vary", "Accept-Encoding")])
    }
    let form = coding == .identity ? plain : form(in: coding)
    return form.response.conditional(on: request, form.tag)
  }

  /// - Precondition: `coding` is not identity.
  private func form(in coding: ContentCoding) -> Form {
    guard let compressed else { return makeForm(in: coding) }
    if let stored = compressed.load(coding) { return stored.form }
    return compressed.store(CompressedForms.Made(makeForm(in: coding)), coding).form
  }

  private func makeForm(in coding: ContentCoding) -> Form {
    let bytes = plain.response.body.bytes
    guard let encoded = encoder?.encode(bytes, in: coding), encoded.count < bytes.count else {
      return plain
    }
    return Self.form(
      encoded, fields + [Field("Content-Encoding", coding.rawValue)],
      EntityTag(hashing: encoded, coding: coding.rawValue), isReused: compressed != nil)
  }

  private static func form(
    _ bytes: [UInt8], _ fields: [Field], _ tag: EntityTag, isReused: Bool
  ) -> Form {
    let response = Response(fields: fields, body: .bytes(bytes)).tagged(tag)
    return Form(response: isReused ? response.preparedForReuse() : response, tag: tag)
  }
}
