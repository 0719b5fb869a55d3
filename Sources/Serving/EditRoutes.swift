import Catalogue
import Cryptography
import HTTP
import Items
import Synchronization
import Views

struct StripChange: Sendable {
  let request: Request
  package let strip: String
  let editor: any StripEditor
  /// The most bytes of an undo.
  let undoLimit: Int
  /// The deadline of the change. The time in the queue counts.
  let deadline = WriteDeadline()
}

extension App {
  static let editTypes = ["application/json", "application/x-ndjson"]
  static let settingsTypes = ["application/json", "application/merge-patch+json"]

  /// `POST /strips/{strip}/edits`: applies all operations in order, or none. Returns the new revision, and with
  /// `undo=true` the batch that takes the edit back.
  static func edit(_ change: StripChange) throws(Problem) -> Response {
    let request = change.request
    let returnsUndo = try request.returnsUndo()
    let type = try request.mediaType(among: editTypes)
    let made = try change.expecting { precondition throws(CatalogueError) in
      try change.editor.edit(
        change.strip, EditBatch(request.body, as: type == "application/json" ? .array : .lines),
        expecting: precondition, idempotencyKey: request.idempotencyKey(),
        undoLimit: returnsUndo ? change.undoLimit : nil, by: change.deadline)
    }
    return .revision(made.revision, undo: made.undo)
  }

  /// `POST /strips/{strip}/lists`: stores a list of ids, for views. Returns the name of the list.
  static func storeList(_ change: StripChange) throws(Problem) -> Response {
    let list = try Problem.mapping(change.request.itemList())
    let isNew = try change.withReadOnlyReason { () throws(CatalogueError) in
      try change.editor.store(list, for: change.strip, by: change.deadline)
    }
    return Response(
      status: isNew ? 201 : 200, "application/json",
      Array(#"{"list":"\#(list.name)","count":\#(list.count)}"#.utf8), fields: [.noStore])
  }

  /// `PUT /strips/{strip}`: applies settings as a JSON Merge Patch. Creates the strip if it is
  /// missing.
  static func set(_ change: StripChange) throws(Problem) -> Response {
    let request = change.request
    let made = try change.expecting { precondition throws(CatalogueError) in
      try change.editor.set(
        change.strip, SettingsPatch(json: request.body), expecting: precondition,
        idempotencyKey: request.idempotencyKey(), by: change.deadline)
    }
    return .revision(made.revision, status: made.isNew ? 201 : 200)
  }

  static func remove(_ change: StripChange) throws(Problem) -> Response {
    try change.expecting { precondition throws(CatalogueError) in
      try change.editor.remove(
        change.strip, expecting: precondition, idempotencyKey: change.request.idempotencyKey(),
        by: change.deadline)
    }
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

  var fault: String? { reader.withLock { $0.failure.map { Problem($0).detail } } }

  /// The list, after the last part.
  fileprivate func list() throws(CatalogueError) -> ItemList {
    try reader.withLock { reader throws(CatalogueError) in try reader.finish() }
  }
}

extension Request {
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

extension StripChange {
  /// If the store rejects the change, the problem says what is known to prevent changes.
  fileprivate func withReadOnlyReason<Value>(
    _ make: () throws(CatalogueError) -> Value
  ) throws(Problem) -> Value {
    do throws(CatalogueError) {
      return try make()
    } catch {
      var problem = Problem(error)
      switch error {
      case .unavailable, .full, .failed:
        if let reason = editor.readOnlyReason {
          problem.detail = "The change was not made: \(reason)."
        }
      default: break
      }
      throw problem
    }
  }

  /// Makes the change with the precondition of the request.
  fileprivate func expecting<Value>(
    _ make: (RevisionPrecondition) throws(CatalogueError) -> Value
  ) throws(Problem) -> Value {
    let precondition = try request.precondition()
    do {
      return try withReadOnlyReason { () throws(CatalogueError) in try make(precondition) }
    } catch {
      guard error.status == 412,
        try request.tags("if-match")?.contains(where: { $0.isWeak }) ?? false
      else { throw error }
      throw Problem(
        status: 412,
        detail: "\(error.detail); If-Match never matches a weak tag, which begins with W/")
    }
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
  ///
  /// - Throws: 400 for a malformed header.
  fileprivate func precondition() throws(Problem) -> RevisionPrecondition {
    let held = try tags("if-match").map { tags -> RevisionPrecondition in
      let strong = tags.filter { !$0.isWeak }
      return tags.isEmpty
        ? .existence : .oneOf(strong.compactMap { EntityTag.revision(of: $0.tag) })
    }
    let lacked = try tags("if-none-match").map { tags -> RevisionPrecondition in
      tags.isEmpty ? .absence : .noneOf(tags.compactMap { EntityTag.revision(of: $0.tag) })
    }
    switch (held, lacked) {
    case (let held?, let lacked?): return .both(held, lacked)
    default: return held ?? lacked ?? .anything
    }
  }

  /// The tags in all fields of this name, which is in lower case. Empty for `*`; nil if there is no such field.
  ///
  /// - Throws: 400 if they are malformed.
  fileprivate func tags(
    _ name: StaticString
  ) throws(Problem) -> [(tag: Bytes, isWeak: Bool)]? {
    guard let value = list(name) else { return nil }
    if value.equals("*") { return [] }
    guard let tags = value.entityTags else {
      throw Problem(
        status: 400,
        detail: "The header \(name) must be * or a list of tags with their quotes: \"REVISION\".")
    }
    return tags
  }

  /// All fields of this name, which is in lower case, as one list (RFC 9110 section 5.3). Nil if there is none.
  private func list(_ name: StaticString) -> Bytes? {
    let lines = FieldLines(head).filter { $0.name.equalsIgnoringCase(name) }
    guard !lines.isEmpty else { return nil }
    return Bytes(lines.map { $0.value }.joined(separator: [UInt8(ascii: ",")]))
  }

  /// Checks all of a change but its body.
  ///
  /// - Parameter types: the media types of the body. None for a request that needs no body.
  /// - Throws: 415 as `mediaType(among:)`; 400 for a malformed precondition or idempotency key, and for a parameter
  ///   that the change does not have.
  func checkChange(withBodyAs types: [String]) throws(Problem) {
    if !types.isEmpty { _ = try mediaType(among: types) }
    if types == App.editTypes {
      _ = try returnsUndo()
    } else {
      _ = try Parameters(self, known: ["v"])
    }
    _ = try precondition()
    if let key = self["idempotency-key"] { try Problem.mapping(IdempotencyKey.check(key)) }
  }

  /// The parameter `undo`. By default false.
  fileprivate func returnsUndo() throws(Problem) -> Bool {
    try Parameters(self, known: ["undo", "v"])
      .boolean("undo") ?? false
  }

  /// The media type of the body, in lower case and without its parameters.
  ///
  /// - Throws: 415 if it is not among `types`, or if the body has a content coding.
  fileprivate func mediaType(among types: [String]) throws(Problem) -> String {
    let codings = list("content-encoding")?.split(separator: UInt8(ascii: ",")).map(\.trimmed) ?? []
    guard codings.allSatisfy({ $0.isEmpty || $0.equalsIgnoringCase("identity") }) else {
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
