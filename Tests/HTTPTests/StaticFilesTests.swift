import Foundation
import HTTP
import Synchronization
import Testing

@Suite struct StaticFilesTests {
  /// A temporary folder with a secret file beside it.
  private final class PublicFolder {
    let root: URL
    let files: StaticFiles

    init() throws {
      let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      root = parent.appending(path: "Public")
      try FileManager.default.createDirectory(
        at: root.appending(path: "covers"), withIntermediateDirectories: true)
      files = try StaticFiles(at: root.path, recheckAfter: .zero)
      try write("above", to: "../secret.txt")
    }

    deinit { try? FileManager.default.removeItem(at: root.deletingLastPathComponent()) }

    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: root.appending(path: name))
    }

    func get(
      _ path: String, _ headers: [(String, String)] = [], method: HTTP.Method = .get
    ) -> Response {
      guard case .response(let response) = files.handle(Request(method, path, headers: headers))
      else { preconditionFailure("A file is answered at once.") }
      return response
    }
  }

  @Test func `a file has a media type, an entity tag and no-cache`() throws {
    let folder = try PublicFolder()
    try folder.write("let a = 1", to: "a.mjs")
    let response = folder.get("/a.mjs")
    #expect(response.status == 200)
    #expect(response["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(response["Cache-Control"] == "no-cache")
    #expect(response.body.bytes == Array("let a = 1".utf8))
    let tag = try #require(response["ETag"])
    #expect(folder.get("/a.mjs", [("If-None-Match", tag)]).status == 304)
  }

  @Test func `a file without requests leaves the cache when another one enters it`() throws {
    let folder = try PublicFolder()
    try folder.write("first", to: "a-1.js")
    try folder.write("other", to: "a-2.js")
    for (forgetAfter, expected) in [(Duration.seconds(3600), "first"), (.zero, "second")] {
      try folder.write("first", to: "a-1.js")
      let files = try StaticFiles(
        at: folder.root.path, recheckAfter: .seconds(3600), forgetAfter: forgetAfter)
      func text(_ path: String) -> String? {
        guard case .response(let response) = files.handle(Request(.get, path)) else { return nil }
        return String(decoding: response.body.bytes, as: UTF8.self)
      }
      #expect(text("/a-1.js") == "first")
      try folder.write("second", to: "a-1.js")
      #expect(text("/a-1.js") == "first")
      #expect(text("/a-2.js") == "other")
      #expect(text("/a-1.js") == expected)
    }
  }

  @Test func `a large file is neither compressed nor read into memory`() throws {
    struct NoEncoder: ContentEncoder {
      func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? {
        Issue.record("The file is compressed.")
        return nil
      }
    }
    let folder = try PublicFolder()
    let files = try StaticFiles(at: folder.root.path, encoder: NoEncoder())
    func answer(_ headers: [(String, String)]) -> Response? {
      let request = Request(
        .get, "/a.txt", headers: [("Accept-Encoding", "gzip, br, zstd")] + headers)
      guard case .response(let response) = files.handle(request) else { return nil }
      return response
    }
    var tags: Set<String> = []
    for count in [5 << 20, (5 << 20) + 77] {
      try folder.write(String(repeating: "a", count: count), to: "a.txt")
      let response = try #require(answer([]))
      #expect(response.status == 200)
      #expect(response.body.bytes.isEmpty && response.body.count == count)
      let tag = try #require(response["ETag"])
      #expect(tags.insert(tag).inserted)
      #expect(answer([("If-None-Match", tag)])?.status == 304)
    }
  }

  @Test func `a file that no other thread can compress is 503`() throws {
    struct Shortening: ContentEncoder {
      func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? { [1] }
    }
    let folder = try PublicFolder()
    try folder.write(String(repeating: "a", count: 2000), to: "a.txt")
    let files = try StaticFiles(
      at: folder.root.path, encoder: Shortening(), compressing: { _ in false })
    let request = Request(.get, "/a.txt", headers: [("Accept-Encoding", "gzip")])
    guard case .deferred(let start) = files.handle(request) else {
      Issue.record("It is compressed at once.")
      return
    }
    let answers = Mutex<[Response]>([])
    start(Responder { response in answers.withLock { $0.append(response) } })
    #expect(answers.withLock { $0.map(\.status) } == [503])
    #expect(answers.withLock { $0[0]["Retry-After"] } == "1")
  }

  @Test func `the first compression of a file does not hold up the thread that asks`() throws {
    struct Shortening: ContentEncoder {
      func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? { [1] }
    }
    let folder = try PublicFolder()
    try folder.write(String(repeating: "a", count: 2000), to: "a.txt")
    let waiting = Mutex<[@Sendable () -> Void]>([])
    let files = try StaticFiles(
      at: folder.root.path, encoder: Shortening(),
      compressing: { work in
        waiting.withLock { $0.append(work) }
        return true
      })
    let request = Request(.get, "/a.txt", headers: [("Accept-Encoding", "br")])
    let answers = Mutex<[Response]>([])
    guard case .deferred(let start) = files.handle(request) else {
      Issue.record("It is compressed at once.")
      return
    }
    start(Responder { response in answers.withLock { $0.append(response) } })
    #expect(answers.withLock { $0.isEmpty })
    for work in waiting.withLock({ $0 }) { work() }
    #expect(answers.withLock { $0.map(\.body.bytes) } == [[1]])
    guard case .response(let next) = files.handle(request) else {
      Issue.record("It is compressed again.")
      return
    }
    #expect(next["Content-Encoding"] == "br")
  }

  @Test func `HTML files have their headers, and XML files have theirs`() throws {
    let folder = try PublicFolder()
    for name in ["a.html", "b.HTML", "c.css", "d.svg", "e.XML"] { try folder.write("a", to: name) }
    let files = try StaticFiles(
      at: folder.root.path, adding: [Field("X-All", "1")], toHTML: [Field("X-Page", "2")],
      toXML: [Field("X-Page", "3")])
    for (name, value) in [
      ("/a.html", "2"), ("/b.HTML", "2"), ("/c.css", nil), ("/d.svg", "3"), ("/e.XML", "3"),
    ] {
      guard case .response(let response) = files.handle(Request(.get, name)) else { return }
      #expect(response["X-All"] == "1")
      #expect(response["X-Page"] == value)
    }
  }

  @Test func `a file that the system cannot open now is 503`() async {
    await #expect(processExitsWith: .success) {
      let folder = try PublicFolder()
      try folder.write("a", to: "a.txt")
      var limits = [rlimit(), rlimit()]
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits[1])
      limits[0].rlim_max = limits[1].rlim_max
      let found = limits.indices.map { index in
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits[index])
        return folder.get("/a.txt").status
      }
      #expect(found == [503, 200])
    }
  }

  @Test func `a path that ends in a slash is that of the index page`() throws {
    let folder = try PublicFolder()
    try folder.write("index", to: "covers/index.html")
    #expect(folder.get("/covers/").body.bytes == Array("index".utf8))
    #expect(folder.get("/covers/")["Content-Type"] == "text/html; charset=utf-8")
    #expect(folder.get("/covers").status == 308)
    #expect(folder.get("/covers?lang=de")["Location"] == "./covers/?lang=de")
    #expect(folder.get("/covers", method: .post).status == 405)
    #expect(folder.get("/other").status == 404)
    #expect(folder.get("/covers//").status == 404)
    #expect(folder.get("/other/").status == 404)
  }

  @Test func `a changed file is served at the next request`() throws {
    let folder = try PublicFolder()
    try folder.write("one", to: "a.css")
    let before = try #require(folder.get("/a.css")["ETag"])
    try folder.write("other", to: "a.css")
    let after = folder.get("/a.css", [("If-None-Match", before)])
    #expect(after.status == 200)
    #expect(after.body.bytes == Array("other".utf8))
    try FileManager.default.removeItem(at: folder.root.appending(path: "a.css"))
    #expect(folder.get("/a.css").status == 404)
  }

  @Test(arguments: [
    "/", "/covers", "/covers/", "/.hidden", "/missing.js", "/%2e%2e%2fsecret.txt",
    "/..%2fsecret.txt", "/covers%2f..%2f..%2fsecret.txt", "/..%5csecret.txt", "/a%00.txt",
    "/link.txt", "/linked/secret.txt", "//a.txt", "/covers/%2fetc%2fpasswd", "/%ff",
  ])
  func `only regular files inside the folder are served`(_ path: String) throws {
    let folder = try PublicFolder()
    try folder.write("a", to: "a.txt")
    try folder.write("hidden", to: ".hidden")
    try FileManager.default.createSymbolicLink(
      atPath: folder.root.appending(path: "link.txt").path, withDestinationPath: "../secret.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.root.appending(path: "linked").path, withDestinationPath: "..")
    #expect(folder.get(path).status == 404)
    #expect(folder.get("/a.txt").status == 200)
  }

  @Test func `files allow GET, HEAD and OPTIONS`() throws {
    let folder = try PublicFolder()
    try folder.write("a", to: "covers/a.svg")
    #expect(folder.get("/covers/a.svg", method: .put).status == 405)
    #expect(folder.get("/covers/a.svg", method: .put)["Allow"] == "GET, HEAD, OPTIONS")
    #expect(folder.get("/covers/a.svg", method: .options).status == 204)
    #expect(folder.get("/covers/a.svg", method: .head)["Content-Type"] == "image/svg+xml")
  }

  @Test func `an error names a missing folder`() {
    let error = #expect(throws: FolderUnreadable.self) {
      try StaticFiles(at: "/nowhere/at/all")
    }
    #expect(error?.description.contains("/nowhere/at/all") == true)
  }
}
