import Synchronization

/// What a read answers: the bytes, packed as each client takes them.
///
///     let windows = Representation(json, labels, encoder: packer)
///     return .response(try windows.answer(to: request))
///
/// Each form has a strong entity tag of its own.
///
/// - Complexity: a look at `Accept-Encoding` and `If-None-Match`, and for a packed form that is not
///   kept what it takes to pack it.
package struct Representation: Sendable {
  private struct Form {
    let response: Response
    let tag: EntityTag
  }

  /// The packed forms of an answer that is kept, each made when it is first asked for.
  private final class PackedForms: Sendable {
    final class Made: Sendable {
      let form: Form
      init(_ form: Form) { self.form = form }
    }

    private let gzip = AtomicLazyReference<Made>()
    private let brotli = AtomicLazyReference<Made>()

    func load(_ coding: ContentCoding) -> Made? {
      coding == .gzip ? gzip.load() : brotli.load()
    }

    /// Whichever came first.
    func store(_ made: Made, _ coding: ContentCoding) -> Made {
      coding == .gzip ? gzip.storeIfNil(made) : brotli.storeIfNil(made)
    }
  }

  private let fields: [Field]
  private let encoder: (any ContentEncoder)?
  private let plain: Form
  private let packed: PackedForms?

  /// Shorter ones would gain nothing.
  private static let leastCount = 1024

  /// - Parameters:
  ///   - labels: its headers.
  ///   - encoder: what packs; nil to send the bytes as they are.
  ///   - isKept: whether it will be sent again and again, so that its forms are made ready for that.
  package init(
    _ bytes: [UInt8], _ labels: HeaderTemplate, encoder: (any ContentEncoder)? = nil,
    isKept: Bool = false
  ) {
    let isPacked = encoder != nil && labels.isText && bytes.count >= Self.leastCount
    fields = isPacked ? labels.packed : labels.plain
    self.encoder = isPacked ? encoder : nil
    packed = isPacked && isKept ? PackedForms() : nil
    plain = Self.form(bytes, fields, EntityTag(hashing: bytes), isKept: isKept)
  }

  /// The same of a kind of its own.
  package init(
    _ type: String, _ bytes: [UInt8], fields: [Field] = [], varying: String? = nil,
    encoder: (any ContentEncoder)? = nil, isKept: Bool = false
  ) {
    self.init(
      bytes, HeaderTemplate(type, fields, varying: varying), encoder: encoder, isKept: isKept)
  }

  /// Bytes of the answer as it is.
  package var count: Int { plain.response.body.count }

  /// The answer to `request`, 304 where the client holds it already.
  ///
  /// - Throws: 406 where the client takes it in no coding that there is.
  package func answer(to request: Request) throws(Problem) -> Response {
    guard let coding = encoder == nil ? .identity : request.bestCoding else {
      throw Problem(
        status: 406, detail: "Accept-Encoding takes none of br, gzip and identity.",
        fields: [Field("Vary", "Accept-Encoding")])
    }
    if coding == .identity { return plain.response.unlessHeld(by: request, plain.tag) }
    let form = form(in: coding)
    return form.response.unlessHeld(by: request, form.tag)
  }

  /// - Precondition: It is not as it stands.
  private func form(in coding: ContentCoding) -> Form {
    guard let packed else { return made(in: coding) }
    if let kept = packed.load(coding) { return kept.form }
    return packed.store(PackedForms.Made(made(in: coding)), coding).form
  }

  private func made(in coding: ContentCoding) -> Form {
    let bytes = plain.response.body.bytes
    guard let packed = encoder?.encode(bytes, in: coding), packed.count < bytes.count else {
      return plain
    }
    return Self.form(
      packed, fields + [Field("Content-Encoding", coding.rawValue)],
      EntityTag(hashing: packed, coding: coding.rawValue), isKept: self.packed != nil)
  }

  private static func form(
    _ bytes: [UInt8], _ fields: [Field], _ tag: EntityTag, isKept: Bool
  ) -> Form {
    var fields = fields
    fields.append(Field("ETag", tag.value))
    let response = Response(fields: fields, body: .bytes(bytes))
    return Form(response: isKept ? response.kept() : response, tag: tag)
  }
}
