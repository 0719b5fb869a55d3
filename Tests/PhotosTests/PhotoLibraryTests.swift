import Catalogue
import CatalogueTesting
import Dispatch
import Foundation
import HTTP
import Items
import Photos
import SQLCatalogue
import SQLiteDatabase
import Synchronization
import Testing
import Views
import Windowing

/// A folder of files and its strip. The worker is a script, for which a file that says GOOD is a picture. Its file
/// `worker.made` has a byte for each picture that it made.
private final class TestFolder {
  private static let worker = #"""
    #!/usr/bin/env python3
    import os, socket
    link = socket.socket(fileno=0)
    while True:
        message, files, _, _ = socket.recv_fds(link, 65536, 2)
        if not message:
            break
        number, operation = message.split(b"\0")[:2]
        answer = [b"error", b"no picture"]
        if os.pread(files[0], 4, 0) == b"GOOD":
            answer = [b"ok", b"30", b"20", b"jpeg", *[b""] * 6, b"#102030", b"AAAA"]
        if operation == b"make":
            os.write(files[1], b"made")
            open(__file__ + ".made", "ab").write(b"x")
            answer = answer[:1]
        for file in files:
            os.close(file)
        link.send(b"".join(text + b"\0" for text in [number] + answer))
    """#

  private final class Log: Sendable { let text = Mutex("") }

  let scratch: ScratchFolder
  let editor: SQLStripEditor
  private let catalogue: SQLStripCatalogue
  private let log = Log()
  private(set) var library: PhotoLibrary

  init() throws {
    scratch = try ScratchFolder()
    let database = scratch.path("photos.db")
    try SQLiteImportFile(path: database).importing { _ in }
    catalogue = try SQLStripCatalogue(SQLiteFile(path: database))
    editor = SQLStripEditor(catalogue, isServer: false)
    for name in ["pictures", "cache/pictures"] {
      try FileManager.default.createDirectory(
        atPath: scratch.path(name), withIntermediateDirectories: true)
    }
    let worker = scratch.path("worker")
    try Self.worker.write(toFile: worker, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
    library = try Self.library(in: scratch, catalogue, editor, log)
  }

  deinit { library.stop() }

  private static func library(
    in scratch: ScratchFolder, _ catalogue: SQLStripCatalogue, _ editor: SQLStripEditor, _ log: Log
  ) throws -> PhotoLibrary {
    var options = PhotoLibrary.Options()
    (options.cache, options.program) = (scratch.path("cache"), scratch.path("worker"))
    options.log = { line in log.text.withLock { $0 += line + "\n" } }
    return try PhotoLibrary(
      of: PhotoFolder(at: scratch.path("pictures")), in: catalogue, editor, options)
  }

  /// Ends the library, and makes another one of the folder, as a second start does.
  func restart() throws {
    library.stop()
    log.text.withLock { $0 = "" }
    library = try Self.library(in: scratch, catalogue, editor, log)
    library.start()
  }

  func write(_ content: String, to name: String) throws {
    try content.write(
      toFile: scratch.path("pictures/" + name), atomically: true, encoding: .utf8)
  }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: scratch.path(name), toPath: scratch.path(other))
  }

  /// Replaces a link in the folder.
  func link(_ name: String, to target: String) throws {
    let new = scratch.path("pictures/.link")
    try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: target)
    #expect(rename(new, scratch.path("pictures/" + name)) == 0)
  }

  var ids: [String] {
    get throws {
      let snapshot = try catalogue.snapshot(of: "photos", at: nil)
      var ids: [String] = []
      try snapshot.source.read(0..<snapshot.strip.count) {
        ids.append(String(decoding: $0.id, as: UTF8.self))
      }
      return ids.sorted()
    }
  }

  func metric(_ name: String) -> Int? { library.metrics.first { $0.name == name }?.value() }

  /// Waits until the strip has these items.
  func settle(_ expected: String...) throws {
    try eventually("The strip has \(ids).") { try ids == expected }
  }

  func settleLog(_ line: String) throws {
    try eventually("The log is: \(log.text.withLock { $0 })") {
      log.text.withLock { $0.contains(line) }
    }
  }

  func eventually(
    _ failure: @autoclosure () throws -> String, _ condition: () throws -> Bool
  ) throws {
    let end = ContinuousClock.now + .seconds(300)
    let pause = DispatchSemaphore(value: 0)
    while try !condition() {
      guard ContinuousClock.now < end else {
        Issue.record("\(try failure())")
        throw CancellationError()
      }
      _ = pause.wait(timeout: .now() + .milliseconds(5))
    }
  }
}

@Suite struct PhotoLibraryTests {
  @Test func `the log counts the files that cannot be read, also a new one`() throws {
    let folder = try TestFolder()
    try folder.write("GOOD", to: "a.jpg")
    try folder.write("no picture", to: "broken.jpg")
    folder.library.start()
    try folder.settleLog("1 pictures; 1 files cannot be read.")
    try folder.settle("a.jpg")
  }

  @Test func `an unavailable folder keeps its items, also at a start`() throws {
    let folder = try TestFolder()
    try folder.write("GOOD", to: "a.jpg")
    folder.library.start()
    try folder.settle("a.jpg")
    try folder.move("pictures", to: "elsewhere")
    try folder.eventually("The folder is there.") { folder.metric("folder_unavailable") == 1 }
    try folder.restart()
    try folder.settleLog("is unavailable")
    try folder.settle("a.jpg")
    try folder.move("elsewhere", to: "pictures")
    try folder.settleLog("is available again")
    try folder.write("GOOD", to: "b.jpg")
    try folder.settle("a.jpg", "b.jpg")
    // A disk below it that is not mounted: its folder is another one, and empty.
    for name in [".disk", ".mountpoint"] {
      try FileManager.default.createDirectory(
        atPath: folder.scratch.path("pictures/" + name), withIntermediateDirectories: false)
    }
    try folder.write("GOOD", to: ".disk/c.jpg")
    try folder.link("disk", to: ".disk")
    try folder.settle("a.jpg", "b.jpg", "disk/c.jpg")
    try folder.link("disk", to: ".mountpoint")
    try folder.settleLog("disk cannot be read")
    try folder.write("GOOD", to: ".disk/d.jpg")
    try folder.link("disk", to: ".disk")
    try folder.settle("a.jpg", "b.jpg", "disk/c.jpg", "disk/d.jpg")
    try folder.link("disk", to: ".mountpoint")
    try folder.restart()  // an empty folder has no pictures then
    try folder.settle("a.jpg", "b.jpg")
  }

  @Test func `a strip that another program has changed is that of the folder again`() throws {
    let folder = try TestFolder()
    for name in ["a.jpg", "b.jpg"] { try folder.write("GOOD", to: name) }
    folder.library.start()
    try folder.settle("a.jpg", "b.jpg")
    try folder.editor.edit(EditBatch([.remove(ids: ["b.jpg"])]), of: "photos")
    try FileManager.default.removeItem(atPath: folder.scratch.path("pictures/b.jpg"))
    try folder.write("GOOD", to: "c.jpg")
    try folder.settle("a.jpg", "c.jpg")
  }
}

@Suite struct PictureRouteTests {
  private struct Others: Handler {
    func handle(_ request: Request) -> HandlerResult { .response(Response(status: 418)) }
  }

  /// The statuses of the responses to requests that arrive at the same time.
  private func statuses(_ method: HTTP.Method, _ paths: [String], _ route: PictureRoute) -> [Int] {
    let statuses = Mutex([Int](repeating: 0, count: paths.count))
    let group = DispatchGroup()
    for (index, path) in paths.enumerated() {
      group.enter()
      let respond = { @Sendable (response: Response) in
        statuses.withLock { $0[index] = response.status }
        group.leave()
      }
      switch route.handle(Request(method, path)) {
      case .response(let response): respond(response)
      case .deferred(let start): start(Responder { respond($0) })
      }
    }
    group.wait()
    return statuses.withLock { $0 }
  }

  @Test func `a picture is made once in each width of the list, and nothing else is found`() throws
  {
    let folder = try TestFolder()
    try folder.write("GOOD", to: "a.jpg")
    folder.library.start()
    try folder.settle("a.jpg")
    let route = PictureRoute(folder.library, otherwise: Others())
    let path = folder.scratch.path("pictures/a.jpg")
    var status = stat()
    #expect(stat(path, &status) == 0)
    let key = PhotoFile(path: Array("a.jpg".utf8), status).key
    let address = "/pictures/photos/\(key)/"
    #expect(
      statuses(.get, ["160", "160", "160", "320"].map { address + $0 }, route) == [
        200, 200, 200, 200,
      ])
    #expect(FileManager.default.contents(atPath: folder.scratch.path("worker.made"))?.count == 2)
    let wrong = ["161", "0", "-160", "", "original", "160/"]
    for path in wrong.map({ address + $0 }) + [
      "/pictures/other/\(key)/160", "/pictures/photos/a/160",
    ] {
      #expect([400, 404].contains(statuses(.get, [path], route)[0]), "\(path)")
    }
    #expect(statuses(.post, [address + "160"], route) == [405])
    #expect(statuses(.get, ["/window"], route) == [418])
  }
}
