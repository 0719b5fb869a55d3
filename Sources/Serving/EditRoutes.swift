import Catalogue
import Cryptography
import HTTP

extension App {
  /// `POST /strips/{strip}/edits`: changes in order, all or none. The response has the new revision.
  func edit(
    _ request: Request, _ editor: any StripEditor, _ strip: String, by deadline: WriteDeadline
  ) throws(Problem) -> Response {
    let form: EditBatch.Form =
      switch try request.mediaType(among: ["application/json", "application/x-ndjson"]) {
      case "application/json": .array
      default: .lines
      }
    do throws(CatalogueError) {
      let once = try request["idempotency-key"].map { key throws(CatalogueError) in
        try IdempotencyKey(key, body: Digest(of: request.body))
      }
      return .revision(
        try editor.edit(
          strip, EditBatch(request.body, as: form), expecting: request.expectation, once: once,
          by: deadline))
    } catch {
      throw Problem(error)
    }
  }

  /// `PUT /strips/{strip}`: settings as a JSON Merge Patch. Makes the strip if there is none.
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

  /// `DELETE /strips/{strip}`.
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
  /// The response to a change: the revision that it made.
  fileprivate static func revision(_ revision: Int64, status: Int = 200) -> Response {
    Response(
      status: status, "application/json", Array("{\"revision\":\(revision)}".utf8),
      fields: [.noStore, Field("ETag", EntityTag(String(revision)).value)])
  }
}
