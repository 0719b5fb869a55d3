import Catalogue
import Cryptography
import Dispatch
import Foundation
import HTTP
import Items
import Serving
import Synchronization
import Testing
import Views

struct EditRouteTests {
  private static let remove = Array(#"[{"op":"remove","ids":["a"]}]"#.utf8)

  private let editor = RecordingEditor()

  private func app(editable: Bool = true) throws -> App {
    try App(
      catalogue: catalogue([]), editor: editable ? editor : nil, files: nil,
      pages: PageFile(path: ""))
  }

  private func answer(
    _ method: HTTP.Method, _ target: String, _ headers: [(String, String)], _ body: [UInt8] = [],
    editable: Bool = true
  ) throws -> Response {
    try app(editable: editable).response(to: Request(method, target, headers: headers, body: body))
  }

  private let fine = [("Authorization", "Bearer good"), ("Content-Type", "application/json")]

  @Test func `no token is valid where nothing can be changed`() throws {
    let response = try answer(.post, "/strips/strip/edits", fine, Self.remove, editable: false)
    #expect(response.status == 401)
  }

  @Test func `a change whose client has the answer of a stop is not made`() throws {
    let app = try app()
    let answer = app.handle(Request(.post, "/strips/s/edits", headers: fine, body: Self.remove))
    guard case .deferred(let start) = answer else {
      Issue.record("A change is deferred.")
      return
    }
    let problems = Mutex<[Problem]>([])
    let isDone = DispatchSemaphore(value: 0)
    start(
      Responder(commitPoint: { problem in
        problems.withLock { $0.append(problem) }
        isDone.signal()
        return false
      }) { _ in isDone.signal() })
    isDone.wait()
    // A later change runs after it.
    #expect(app.response(to: Request(.delete, "/strips/s", headers: fine)).status == 204)
    #expect(editor.made == ["remove s anything"])
    #expect(problems.withLock { $0.map(\.status) } == [503])
    #expect(problems.withLock { $0 }.first?.response.text.contains("Idempotency-Key") == true)
  }

  @Test func `the headers say which revision is expected`() throws {
    let headers = fine + [("If-Match", #""7", W/"8", "9""#), ("Idempotency-Key", "k")]
    let response = try answer(.post, "/strips/s/edits", headers, Self.remove)
    #expect(response.status == 200)
    #expect(response.text == #"{"revision":5}"#)
    #expect(response["Cache-Control"] == "no-store")
    #expect(editor.made == ["edit s oneOf([7, 9]) 1 key"])
  }

  @Test(
    arguments: [
      ("?undo=true", #"{"revision":5,"undo":[{"limit":1048576}]}"#),
      ("?undo=false", #"{"revision":5}"#), ("?undo=", #"{"revision":5}"#),
    ])
  func `an edit returns its undo if it is asked to`(_ query: String, _ text: String) throws {
    #expect(try answer(.post, "/strips/s/edits\(query)", fine, Self.remove).text == text)
  }

  @Test func `the headers say which revision must not be there`() throws {
    for (headers, expected) in [
      ([("If-None-Match", "*")], "absence"),
      ([("if-none-match", #"W/"7", "x""#), ("If-None-Match", #""9""#)], "noneOf([7, 9])"),
      (
        [("If-Match", #""7""#), ("If-None-Match", "*"), ("If-Match", #""8""#)],
        "both(Catalogue.RevisionPrecondition.oneOf([7, 8]), Catalogue.RevisionPrecondition.absence)"
      ),
    ] {
      _ = try answer(.put, "/strips/s", fine + headers, Array("{}".utf8))
      #expect(editor.made.last == "set s \(expected)")
    }
  }

  @Test(arguments: ["07", "+7", "-0", "7 ", "7.0", ""])
  func `a tag that is not spelled like a revision names none`(_ spelled: String) throws {
    for (name, guarded) in [("If-Match", "oneOf"), ("If-None-Match", "noneOf")] {
      let headers = fine + [(name, "\"\(spelled)\", \"8\"")]
      _ = try answer(.put, "/strips/s", headers, Array("{}".utf8))
      #expect(editor.made.last == "set s \(guarded)([8])")
    }
  }

  @Test func `settings are made, and strips removed`() throws {
    let patch = Array(#"{"title":"T"}"#.utf8)
    #expect(try answer(.put, "/strips/s", fine, patch).status == 201)
    #expect(try answer(.delete, "/strips/s", fine + [("If-Match", "*")]).status == 204)
    #expect(editor.made == ["set s anything", "remove s existence"])
  }

  @Test(arguments: ["Application/JSON ; charset=utf-8", "application/x-ndjson"])
  func `the case and the parameters of a media type do not matter`(_ type: String) throws {
    let body = type.contains("nd") ? Self.remove.dropFirst().dropLast() : Self.remove[...]
    let headers = [("Authorization", "bearer good"), ("Content-Type", type)]
    #expect(try answer(.post, "/strips/s/edits", headers, Array(body)).status == 200)
  }

  @Test func `an error has its status, and does not name the files of the store`() throws {
    for (error, status) in [
      (CatalogueError.conflict("operation 1"), 409), (.revisionDiffers(4), 412),
      (.noSuchStrip("s"), 404), (.invalid("operation 1"), 400),
    ] {
      editor.failure.withLock { $0 = error }
      let response = try answer(.post, "/strips/s/edits", fine, Self.remove)
      #expect(response.status == status)
      #expect(response.json["detail"] as? String == error.description)
    }
    // Only the operator may see the store's error. The client does not get its text.
    editor.failure.withLock { $0 = .failed("/srv/a.db: no space is left") }
    let response = try answer(.post, "/strips/s/edits", fine, Self.remove)
    #expect(response.status == 503)
    #expect(!response.text.contains("a.db"))
    #expect(response.cause == "/srv/a.db: no space is left")
    editor.failure.withLock { $0 = .busy("/srv/a.db is being written by another command") }
    let busy = try answer(.post, "/strips/s/edits", fine, Self.remove)
    #expect(busy.status == 503 && busy["Retry-After"] == "10")
    #expect(!busy.text.contains("a.db"))
    let long = fine + [("Idempotency-Key", String(repeating: "k", count: 256))]
    #expect(try answer(.post, "/strips/s/edits", long, Self.remove).status == 400)
  }
}

extension EditRouteTests {
  @Test func `a flood of wrong tokens does not delay the changes of a right one`() throws {
    let app = try app()
    func change(_ token: String) -> Request {
      let headers = [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")]
      return Request(.post, "/strips/s/edits", headers: headers, body: Self.remove)
    }
    #expect(app.response(to: change("good")).status == 200)
    let goOn = DispatchSemaphore(value: 0)
    editor.holdWrongTokens.withLock { $0 = { goOn.wait() } }
    let wrong = (0..<400).map { PendingResponse(app, change("wrong\($0)")) }
    #expect(app.response(to: change("good")).status == 200)
    for _ in 0..<400 { goOn.signal() }
    for answer in wrong { _ = answer.wait() }
    #expect(editor.made.count == 2)
  }

  @Test func `the deadline of a change counts from its arrival`() async throws {
    let app = try app()
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    editor.hold.withLock {
      $0 = {
        begun.signal()
        goOn.wait()
      }
    }
    let turn = Mutex<ContinuousClock.Instant?>(nil)
    let request = Request(.post, "/strips/s/edits", headers: fine, body: Self.remove)
    await withCheckedContinuation { continuation in
      let answered = DispatchGroup()
      for _ in 0..<2 {
        guard case .deferred(let start) = app.handle(request) else { continue }
        answered.enter()
        start(Responder { _ in answered.leave() })
      }
      begun.wait()
      turn.withLock { $0 = .now }
      for _ in 0..<2 { goOn.signal() }
      answered.notify(queue: .global()) { continuation.resume() }
    }
    let bound = try #require(turn.withLock { $0 }) + .seconds(WriteDeadline.seconds)
    let ends = editor.deadlines.withLock { $0.map(\.end) }
    try #require(ends.count == 2)
    #expect(ends[1] <= bound)
  }
}

/// An editor that records its calls. Its only token is `good`, for the strip `s`.
private final class RecordingEditor: StripEditor {
  let failure = Mutex<CatalogueError?>(nil)
  let deadlines = Mutex<[WriteDeadline]>([])
  /// Called during an edit.
  let hold = Mutex<(@Sendable () -> Void)?>(nil)
  /// Called before the check of a wrong token.
  let holdWrongTokens = Mutex<(@Sendable () -> Void)?>(nil)
  private let calls = Mutex<[String]>([])

  var made: [String] { calls.withLock { $0 } }

  private func call(_ text: String) throws(CatalogueError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    calls.withLock { $0.append(text) }
  }

  func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey?, undoLimit: Int?, by deadline: WriteDeadline
  ) throws(CatalogueError) -> EditResult {
    deadlines.withLock { $0.append(deadline) }
    hold.withLock { $0 }?()
    try call("edit \(strip) \(expecting) \(batch.count) \(idempotencyKey == nil ? "-" : "key")")
    return EditResult(revision: 5, undo: undoLimit.map { Array("[{\"limit\":\($0)}]".utf8) })
  }

  func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey?, by deadline: WriteDeadline
  ) throws(CatalogueError) -> SettingsResult {
    try call("set \(strip) \(expecting)\(idempotencyKey == nil ? "" : " key")")
    return SettingsResult(revision: 6, isNew: true)
  }

  func remove(
    _ strip: String, expecting: RevisionPrecondition, idempotencyKey: IdempotencyKey?,
    by deadline: WriteDeadline
  ) throws(CatalogueError) {
    try call("remove \(strip) \(expecting)\(idempotencyKey == nil ? "" : " key")")
  }

  func store(
    _ list: ItemList, for strip: String, by deadline: WriteDeadline
  ) throws(CatalogueError) -> Bool {
    try call("store \(list.ids) \(strip)")
    return made.count == 1
  }

  func grants(of secrets: [[UInt8]]) -> [TokenGrant?] { secrets.map(answer) }

  private func answer(to secret: [UInt8]) -> TokenGrant? {
    if secret.elementsEqual("lists".utf8) { return TokenGrant(strip: "s", scope: .lists) }
    guard secret.elementsEqual("good".utf8) else {
      holdWrongTokens.withLock { $0 }?()
      return nil
    }
    return TokenGrant(strip: "s", scope: .changes)
  }
}
