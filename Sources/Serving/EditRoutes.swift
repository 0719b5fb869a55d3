import Catalogue
import HTTP

extension App {
  /// `POST /strips/{strip}/edits`: changes in order, all or none; the answer is their revision.
  func edit(_ request: Request, _ path: PathValues) -> Answer {
    changing(request, path["strip"]) { editor, strip, deadline throws(Problem) in
      let form: EditBatch.Form =
        switch try request.mediaType(among: ["application/json", "application/x-ndjson"]) {
        case "application/json": .array
        default: .lines
        }
      let revision = try catching { () throws(CatalogueError) in
        let once = try request["idempotency-key"].map { key throws(CatalogueError) in
          try IdempotencyKey(key, body: request.body)
        }
        return try editor.edit(
          strip, EditBatch(request.body, as: form), expecting: request.expectation, once: once,
          by: deadline)
      }
      return .revision(revision)
    }
  }

  /// `PUT /strips/{strip}`: settings as a JSON Merge Patch; makes the strip if there is none.
  func set(_ request: Request, _ path: PathValues) -> Answer {
    changing(request, path["strip"]) { editor, strip, deadline throws(Problem) in
      _ = try request.mediaType(among: ["application/json", "application/merge-patch+json"])
      let made = try catching { () throws(CatalogueError) in
        try editor.set(
          strip, SettingsPatch(json: request.body), expecting: request.expectation, by: deadline)
      }
      return .revision(made.revision, status: made.isNew ? 201 : 200)
    }
  }

  /// `DELETE /strips/{strip}`.
  func remove(_ request: Request, _ path: PathValues) -> Answer {
    changing(request, path["strip"]) { editor, strip, deadline throws(Problem) in
      try catching { () throws(CatalogueError) in
        try editor.remove(strip, expecting: request.expectation, by: deadline)
      }
      return Response(status: 204, fields: [.noStore])
    }
  }

  /// Lets `change` answer once the bearer may change the strip, on a thread that may wait for the
  /// disk; its deadline counts from now, not from its turn. Who may not takes nobody's turn.
  private func changing(
    _ request: Request, _ strip: String,
    _ change:
      @escaping @Sendable (any StripEditor, String, WriteDeadline) throws(Problem) -> Response
  ) -> Answer {
    let deadline = WriteDeadline()
    return .deferred { delivery in
      let refuse = { @Sendable in
        delivery(Problem.unavailable("Too many changes wait to be made.").response)
      }
      self.applicants.take(strip, orElse: refuse) {
        do throws(Problem) {
          let editor = try self.authorized(request, for: strip)
          guard !self.isAskedFirst else { return delivery(.continue) }
          self.changes.take(strip, orElse: refuse) {
            do throws(Problem) {
              delivery(try change(editor, strip, deadline))
            } catch {
              delivery(error.response)
            }
          }
        } catch {
          delivery(error.response)
        }
      }
    }
  }

  /// The editor, for who may change the strip: 401 goes before 404, so that nobody without a token
  /// learns which strips there are.
  private func authorized(_ request: Request, for strip: String) throws(Problem) -> any StripEditor
  {
    guard let editor, let secret = request.bearer else { throw .unauthorized("A change") }
    let permission = try catching { () throws(CatalogueError) in
      try editor.permission(of: Array(secret), for: strip)
    }
    switch permission {
    case .granted: return editor
    case .ofAnotherStrip: throw .ofAnotherStrip
    case .toRead: throw Problem(status: 403, detail: "The token is for reading alone.")
    case .unknown: throw .unknownToken
    }
  }
}

/// Does `work` and throws what it throws as a problem.
private func catching<Result>(
  _ work: () throws(CatalogueError) -> Result
) throws(Problem) -> Result {
  do {
    return try work()
  } catch {
    throw Problem(error)
  }
}

extension Response {
  /// What a change is answered with: the revision that it has made.
  fileprivate static func revision(_ revision: Int64, status: Int = 200) -> Response {
    Response(
      status: status, "application/json", Array("{\"revision\":\(revision)}".utf8),
      fields: [.noStore, Field("ETag", EntityTag(String(revision)).value)])
  }
}
