import Catalogue
import Cryptography
import HTTP

extension App {
  /// `POST /strips/{strip}/edits`: applies all changes in order, or none. Returns the new revision.
  func edit(
    _ request: Request, _ editor: any StripEditor, _ strip: String, by deadline: WriteDeadline
  ) throws(Problem) -> Response {
    let form: EditBatch.Form =
      switch try request.mediaType(among: ["application/json", "application/x-ndjson"]) {
      case "application/json": .array
      default: .lines
      }
    do throws(CatalogueError) {
      let idempotencyKey = try request["idempotency-key"].map { key throws(CatalogueError) in
        try IdempotencyKey(key, body: Digest(of: request.body))
      }
      return .revision(
        try editor.edit(
          strip, EditBatch(request.body, as: form), expecting: request.expectation,
          idempotencyKey: idempotencyKey,
          by: deadline))
    } catch {
      throw Problem(error)
    }
  }

  /// `POST /strips/{strip}/lists`: stores a list of ids, for views. Returns the name of the list.
  func storeList(
    _ request: Request, _ editor: any StripEditor, _ strip: String, by deadline: WriteDeadline
  ) throws(Problem) -> Response {
    _ = try request.mediaType(among: ["application/json"])
    do throws(CatalogueError) {
      let list = try ItemList(json: request.body)
      let isNew = try editor.store(list, for: strip, by: deadline)
      return Response(
        status: isNew ? 201 : 200, "application/json",
        Array(#"{"list":"\#(list.name)","count":\#(list.ids.count)}"#.utf8), fields: [.noStore])
    } catch {
      throw Problem(error)
    }
  }

  /// `PUT /strips/{strip}`: applies settings as a JSON Merge Patch. Creates the strip if it is
  /// missing.
  func set(
    _ request: Request, _ editor: any StripEditor, _ strip: String, by deadline: WriteDeadline
  ) throws(Problem) -> Response {
    _ = try request.mediaType(among: ["application/json", "application/merge-patch+json"])
    do throws(CatalogueError) {
      let made = try editor.set(
        strip, SettingsPatch(json: request.body), expecting: request.expectation, by: deadline)
      return .revision(made.revision, status: made.isNew ? 201 : 200)
    } catch {
      throw Problem(error)
    }
  }

  func remove(
    _ request: Request, _ editor: any StripEditor, _ strip: String, by deadline: WriteDeadline
  ) throws(Problem) -> Response {
    do {
      try editor.remove(strip, expecting: request.expectation, by: deadline)
    } catch {
      throw Problem(error)
    }
    return Response(status: 204, fields: [.noStore])
  }
}

extension Response {
  fileprivate static func revision(_ revision: Int64, status: Int = 200) -> Response {
    Response(
      status: status, "application/json", Array("{\"revision\":\(revision)}".utf8),
      fields: [.noStore, Field("ETag", EntityTag(String(revision)).value)])
  }
}

// The headers of a change.
extension Request {
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
      line.value.text.split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }
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
    let given = self["content-type"]?.text.lowercased().prefix { $0 != ";" }
    let type = given.map { String($0.trimmingBlanks) }
    guard let type, types.contains(type) else {
      throw Problem(
        status: 415, detail: "The body must be \(types.joined(separator: " or ")).",
        fields: [Field("Accept", types.joined(separator: ", "))])
    }
    return type
  }
}

extension StringProtocol {
  fileprivate var trimmingBlanks: SubSequence {
    var rest = self[...]
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
