/// What all answers of one kind say beside their bytes, made once for all of them.
///
///     let windows = Labels("application/json", [Field("Cache-Control", "no-cache")])
///     let answer = Representation(json, windows, encoder: packer)
package struct HeaderTemplate: Sendable {
  /// Content-Type and the rest, of an answer that is sent as it is whoever asks.
  let plain: [Field]
  /// The same of one that is packed for those who take it so.
  let packed: [Field]
  /// Only what is text is packed.
  let isText: Bool

  /// - Parameters:
  ///   - type: the media type.
  ///   - fields: the headers beside Content-Type, ETag, and what the coding asks for.
  ///   - varying: the request's header that decides whether this is the answer, beside the coding's.
  package init(_ type: String, _ fields: [Field] = [], varying: String? = nil) {
    let all = [Field("Content-Type", type)] + fields
    plain = varying.map { all + [Field("Vary", $0)] } ?? all
    packed = all + [Field("Vary", (varying.map { "\($0), " } ?? "") + "Accept-Encoding")]
    isText = MediaType.isText(type)
  }
}
