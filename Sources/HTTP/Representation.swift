import Synchronization

/// What a read answers: the bytes, packed as each client takes them, each form made when it is first
/// asked for.
///
///     let windows = Representation("application/json", json, fields: [cacheControl], encoder: packer)
///     return .response(try windows.answer(to: request))
///
/// Each form has a strong entity tag of its own.
///
/// - Complexity: a form that is there costs one look at `Accept-Encoding` and `If-None-Match`.
package final class Representation: Sendable {
  private final class Form: Sendable {
    let response: Response
    let tag: EntityTag

    init(_ response: Response, _ tag: EntityTag, isKept: Bool) {
      let tagged = response.tagged(tag)
      self.response = isKept ? tagged.kept() : tagged
      self.tag = tag
    }
  }

  private let type: String
  private let fields: [Field]
  private let isKept: Bool
  private let encoder: (any ContentEncoder)?
  private let plain: Form
  private let gzip = AtomicLazyReference<Form>()
  private let brotli = AtomicLazyReference<Form>()

  /// Shorter ones would gain nothing.
  private static let leastCount = 1024

  /// - Parameters:
  ///   - type: the media type. Only what is text is packed.
  ///   - fields: the headers beside Content-Type, ETag, and what the coding asks for.
  ///   - varying: the request's header that decides whether this is the answer, beside the coding's.
  ///   - encoder: what packs; nil to send the bytes as they are.
  ///   - isKept: whether it will be sent again and again, so that its forms are made ready for that.
  package init(
    _ type: String, _ bytes: [UInt8], fields: [Field] = [], varying: String? = nil,
    encoder: (any ContentEncoder)? = nil, isKept: Bool = false
  ) {
    let isPacked = bytes.count >= Self.leastCount && MediaType.isText(type)
    let names = [varying, isPacked && encoder != nil ? "Accept-Encoding" : nil].compactMap(\.self)
    self.type = type
    self.fields = names.isEmpty ? fields : fields + [Field("Vary", names.joined(separator: ", "))]
    self.isKept = isKept
    self.encoder = isPacked ? encoder : nil
    plain = Form(
      Response(type, bytes, fields: self.fields), EntityTag(hashing: bytes), isKept: isKept)
  }

  /// Bytes of the answer as it is.
  package var count: Int { plain.response.body.count }

  /// The answer to `request`, 304 where the client holds it already.
  ///
  /// - Throws: 406 where the client takes it in no coding that there is.
  package func answer(to request: Request) throws(Problem) -> Response {
    var form = plain
    if encoder != nil {
      guard let coding = request.bestCoding else {
        throw Problem(
          status: 406, detail: "Accept-Encoding takes none of br, gzip and identity.",
          fields: [Field("Vary", "Accept-Encoding")])
      }
      form = self.form(in: coding)
    }
    return form.response.unlessHeld(by: request, form.tag)
  }

  private func form(in coding: ContentCoding) -> Form {
    switch coding {
    case .identity: plain
    case .gzip: gzip.load() ?? gzip.storeIfNil(packed(in: coding))
    case .brotli: brotli.load() ?? brotli.storeIfNil(packed(in: coding))
    }
  }

  private func packed(in coding: ContentCoding) -> Form {
    let bytes = plain.response.body.bytes
    guard let packed = encoder?.encode(bytes, in: coding), packed.count < bytes.count else {
      return plain
    }
    let response = Response(
      type, packed, fields: fields + [Field("Content-Encoding", coding.rawValue)])
    return Form(
      response, EntityTag(hashing: packed, coding: coding.rawValue), isKept: isKept)
  }
}
