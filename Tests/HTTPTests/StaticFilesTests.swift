import Foundation
import Testing

@testable import HTTP

@Suite struct StaticFilesTests {
  /// A folder of the test's own, with a file beside it that must never be served.
  private final class App {
    let root: URL
    let files: StaticFiles

    init() throws {
      let home = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      root = home.appending(path: "Public")
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
    )
      -> Response
    {
      guard case .response(let response) = files.answer(Request(method, path, headers: headers))
      else { preconditionFailure("Files are answered at once.") }
      return response
    }
  }

  @Test func `A file has its type, a tag and has to be asked for again`() throws {
    let site = try App()
    try site.write("let a = 1", to: "a.mjs")
    let response = site.get("/a.mjs")
    #expect(response.status == 200)
    #expect(response["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(response["Cache-Control"] == "no-cache")
    #expect(response.body.bytes == Array("let a = 1".utf8))
    let tag = try #require(response["ETag"])
    #expect(site.get("/a.mjs", [("If-None-Match", tag)]).status == 304)
  }

  @Test func `Pages alone say what is said of pages`() throws {
    let site = try App()
    for name in ["a.html", "b.HTML", "c.css"] { try site.write("a", to: name) }
    let files = try StaticFiles(
      at: site.root.path, adding: [Field("X-All", "1")], toPages: [Field("X-Page", "2")])
    for (name, said) in [("/a.html", "2"), ("/b.HTML", "2"), ("/c.css", nil)] {
      guard case .response(let response) = files.answer(Request(.get, name)) else { return }
      #expect(response["X-All"] == "1")
      #expect(response["X-Page"] == said)
    }
  }

  @Test func `It stands until the disk is looked at again`() throws {
    let site = try App()
    try site.write("a", to: "a.txt")
    #expect(try #require(site.get("/a.txt").standing).holds() == false)
    let files = try StaticFiles(at: site.root.path, recheckAfter: .seconds(3600))
    guard case .response(let response) = files.answer(Request(.get, "/a.txt")) else { return }
    #expect(try #require(response.standing).holds())
  }

  @Test func `An edit shows on the next load`() throws {
    let site = try App()
    try site.write("one", to: "a.css")
    let before = try #require(site.get("/a.css")["ETag"])
    try site.write("other", to: "a.css")
    let after = site.get("/a.css", [("If-None-Match", before)])
    #expect(after.status == 200)
    #expect(after.body.bytes == Array("other".utf8))
    try FileManager.default.removeItem(at: site.root.appending(path: "a.css"))
    #expect(site.get("/a.css").status == 404)
  }

  @Test(arguments: [
    "/", "/covers", "/covers/", "/.hidden", "/missing.js", "/%2e%2e%2fsecret.txt",
    "/..%2fsecret.txt", "/covers%2f..%2f..%2fsecret.txt", "/..%5csecret.txt", "/a%00.txt",
    "/link.txt", "/linked/secret.txt", "//a.txt", "/covers/%2fetc%2fpasswd", "/%ff",
  ])
  func `Nothing but the folder's plain files is there`(_ path: String) throws {
    let site = try App()
    try site.write("a", to: "a.txt")
    try site.write("hidden", to: ".hidden")
    try FileManager.default.createSymbolicLink(
      atPath: site.root.appending(path: "link.txt").path, withDestinationPath: "../secret.txt")
    try FileManager.default.createSymbolicLink(
      atPath: site.root.appending(path: "linked").path, withDestinationPath: "..")
    #expect(site.get(path).status == 404)
    #expect(site.get("/a.txt").status == 200)
  }

  @Test func `Files are only read`() throws {
    let site = try App()
    try site.write("a", to: "covers/a.svg")
    #expect(site.get("/covers/a.svg", method: .put).status == 405)
    #expect(site.get("/covers/a.svg", method: .put)["Allow"] == "GET, HEAD, OPTIONS")
    #expect(site.get("/covers/a.svg", method: .options).status == 204)
    #expect(site.get("/covers/a.svg", method: .head)["Content-Type"] == "image/svg+xml")
  }

  @Test func `A folder that is not there is named`() {
    let error = #expect(throws: FolderUnreadable.self) {
      try StaticFiles(at: "/nowhere/at/all")
    }
    #expect(error?.description.contains("/nowhere/at/all") == true)
  }
}
