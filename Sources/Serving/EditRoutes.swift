import Catalogue
import Cryptography
import HTTP
import Synchronization

/// A request that changes a strip.
struct StripChange: Sendable {
  let request: Request
  package let strip: String
  let editor: any StripEditor
  /// The most bytes of an undo.
  let undoLimit: Int
  /// Includes the time in the queue.
  let deadline = WriteDeadline()
}

extension App {
  /// `POST /strips/{strip}/edits`: applies all operations in order, or none. Returns the new revision, and with
  /// `undo=true` the batch that takes the edit back.
  static func edit(_ change: StripChange) throws(Problem) -> Response {
    let request = change.request
    let returnsUndo =
      try Parameters(request, known: ["undo"], ignoresOthers: true)
      .choice("undo", ["true": true, "false": false]) ?? false
    let type = try request.mediaType(among: ["application/json", "application/x-ndjson"])
    let made = try Problem.mapping(
      change.editor.edit(
        change.strip, EditBatch(request.body, as: type == "application/json" ? .array : .lines),
        expecting: request.expectation, idempotencyKey: request.idempotencyKey(),
        undoLimit: returnsUndo ? change.undoLimit : nil, by: change.deadline))
    return .revision(made.revision, undo: made.undo)
  }

  /// `POST /strips/{strip}/lists`: stores a list of ids, for views. Returns the name of the list.
  static func storeList(_ change: StripChange) throws(Problem) -> Response {
    _ = try change.request.mediaType(among: ["application/json"])
    let list = try Problem.mapping(change.request.itemList())
    let isNew = try Problem.mapping(
      change.editor.store(list, for: change.strip, by: change.deadline))
    return Response(
      status: isNew ? 201 : 200, "application/json",
      Array(#"{"list":"\#(list.name)","count":\#(list.count)}"#.utf8), fields: [.noStore])
  }

  /// `PUT /strips/{strip}`: applies settings as a JSON Merge Patch. Creates the strip if it is
  /// missing.
  static func set(_ change: StripChange) throws(Problem) -> Response {
    let request = change.request
    _ = try request.mediaType(among: ["application/json", "application/merge-patch+json"])
    let made = try Problem.mapping(
      change.editor.set(
        change.strip, SettingsChange(json: request.body), expecting: request.expectation,
        idempotencyKey: request.idempotencyKey(), by: change.deadline))
    return .revision(made.revision, status: made.isNew ? 201 : 200)
  }

  static func remove(_ change: StripChange) throws(Problem) -> Response {
    try Problem.mapping(
      change.editor.remove(change.strip, expecting: change.request.expectation, by: change.deadline)
    )
    return Response(status: 204, fields: [.noStore])
  }
}

/// A list of ids that is read while its body arrives.
final class ListBody: BodyReader {
  private let reader: Mutex<ItemListReader>

  /// - Parameter count: the most bytes of the body.
  init(expecting count: Int) { reader = Mutex(ItemListReader(expecting: count)) }

  func read(_ part: UnsafeRawBufferPointer) -> Int {
    reader.withLock { reader in
      reader.read(part)
      return reader.size
    }
  }

  /// The list, after the last part.
  fileprivate func list() throws(CatalogueError) -> ItemList {
    try reader.withLock { reader throws(CatalogueError) in try reader.finish() }
  }
}

extension Request {
  /// The list of ids in the body.
  fileprivate func itemList() throws(CatalogueError) -> ItemList {
    guard let reader = reader as? ListBody else { return try ItemList(json: body) }
    return try reader.list()
  }
}

extension Response {
  fileprivate static func revision(
    _ revision: Int64, undo: [UInt8]? = nil, status: Int = 200
  ) -> Response {
    let undo = undo.map { Array(",\"undo\":".utf8) + $0 } ?? []
    return Response(
      status: status, "application/json", Array("{\"revision\":\(revision)".utf8) + undo + [0x7D],
      fields: [.noStore, Field("ETag", EntityTag(String(revision)).value)])
  }
}

// The headers of a change.
extension Request {
  /// `Idempotency-Key`, with the digest of the body. Nil if there is none.
  fileprivate func idempotencyKey() throws(CatalogueError) -> IdempotencyKey? {
    guard let key = self["idempotency-key"] else { return nil }
    return try IdempotencyKey(key, body: Digest(of: body))
  }

  /// The revisions that `If-Match` and `If-None-Match` list (RFC 9110 section 13.1), or `*`.
  ///
  /// `If-Match` compares tags strongly, `If-None-Match` weakly.
  var expectation: RevisionPrecondition {
    let held = list("if-match").map { list -> RevisionPrecondition in
      list == ["*"] ? .existence : .oneOf(list.compactMap(revision))
    }
    let lacked = list("if-none-match").map { list -> RevisionPrecondition in
      list == ["*"]
        ? .absence
        : .noneOf(list.compactMap { revision($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) })
    }
    switch (held, lacked) {
    case (let held?, let lacked?): return .both(held, lacked)
    default: return held ?? lacked ?? .anything
    }
  }

  /// The entries of all fields `name`, which is in lower case. Nil if there is no such field.
  private func list(_ name: StaticString) -> [Substring]? {
    let lines = FieldLines(head).filter { $0.name.equalsIgnoringCase(name) }
    guard !lines.isEmpty else { return nil }
    return lines.flatMap { line in
      line.value.split(separator: UInt8(ascii: ",")).map { $0.trimmed.text[...] }
        .filter { !$0.isEmpty }
    }
  }

  /// The revision of a strong tag: `"REVISION"` of a change, `"REVISION-HASH"` of a read. Nil for a
  /// number with another spelling, because tags are compared as bytes.
  private func revision(_ tag: Substring) -> Int64? {
    guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { return nil }
    let spelled = tag.dropFirst().dropLast().prefix { $0 != "-" }
    guard let revision = Int64(spelled), String(revision) == spelled else { return nil }
    return revision
  }

  /// The media type of the body, in lower case and without its parameters.
  ///
  /// - Throws: 415 if it is not among `types`, or if the body has a content coding.
  func mediaType(among types: [String]) throws(Problem) -> String {
    guard list("content-encoding")?.allSatisfy({ $0.lowercased() == "identity" }) ?? true else {
      throw Problem(
        status: 415, detail: "The body must not have a content coding.",
        fields: [Field("Accept-Encoding", "identity")])
    }
    let given = self["content-type"]?.prefix { $0 != UInt8(ascii: ";") }
    guard let type = given?.trimmed.text.lowercased(), types.contains(type) else {
      throw Problem(
        status: 415, detail: "The body must be \(types.joined(separator: " or ")).",
        fields: [Field("Accept", types.joined(separator: ", "))])
    }
    return type
  }
}
