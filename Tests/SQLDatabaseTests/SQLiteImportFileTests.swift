import CatalogueTesting
@preconcurrency import Dispatch
import Foundation
import GRDB
import Items
import SQLCatalogue
import SQLiteDatabase
import Testing
import Views

struct SQLiteImportFileTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("art.db")
  }

  private func make() throws {
    try SQLiteImportFile(path: path).importing { try $0.insertItems(500) }
  }

  @Test func `a failed import leaves no file`() throws {
    #expect(throws: CatalogueError.invalid("no")) {
      try SQLiteImportFile(path: path).importing { _ in throw CatalogueError.invalid("no") }
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func `the remains of a killed import are overwritten`() throws {
    try make()
    let half = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(20_000)
    for remains in [half, Data(count: 20_000), Data()] {
      try FileManager.default.removeItem(atPath: path)
      try remains.write(to: URL(fileURLWithPath: path + ".new"))
      try make()
      let file = try SQLiteFile(path: path)
      #expect(try file.read { try $0.revisions() } == [1])
      file.close()
    }
    try FileManager.default.removeItem(atPath: path)
    try Data("A letter that is longer than sixteen bytes.".utf8)
      .write(to: URL(fileURLWithPath: path + ".new"))
    #expect(throws: CatalogueError.self) { try make() }
  }

  @Test func `a kept log that is in the way is named`() throws {
    for log in ["\(path)-wal", "\(path).former-wal"] {
      try Data("log".utf8).write(to: URL(fileURLWithPath: log))
    }
    let error = #expect(throws: CatalogueError.self) { try make() }
    #expect(error?.description.contains("\(path).former-wal is in the way") == true)
  }

  @Test func `an empty file becomes a database, also through a link, and so does a missing one`()
    throws
  {
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: path, withDestinationPath: "disk/art.db")
    let copy = folder.path("copy.db")
    try files.createSymbolicLink(atPath: copy, withDestinationPath: "disk/copy.db")
    for target in ["disk/art.db", "disk/copy.db"].map(folder.path) {
      try Data().write(to: URL(fileURLWithPath: target))
      try make()
      try Backup.copy(path, to: copy)
      for file in ["disk/art.db", "disk/copy.db"] {
        try SQLiteFile(path: folder.path(file)).close()
      }
      for name in try files.contentsOfDirectory(atPath: folder.path("disk")) {
        try files.removeItem(atPath: folder.path("disk/" + name))
      }
    }
  }

  @Test func `a file that is no database stays as it is`() throws {
    let text = String(repeating: "id,title\n1,2\n", count: 2000)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let expected = CatalogueError.unavailable("\(path) is not a database")
    #expect(throws: expected) { try make() }
    #expect(throws: expected) { try SQLiteFile(path: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func `a database of another program is rejected`() throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE item (id)") }
    let expected = CatalogueError.unavailable("\(path) is a database, but not one of carousel")
    #expect(throws: expected) { try make() }
    #expect(throws: expected) { try SQLiteFile(path: path) }
  }

  @Test func `a missing file or folder is unavailable`() throws {
    let error = #expect(throws: CatalogueError.self) { try SQLiteFile(path: path) }
    #expect(error?.description.hasPrefix("\(path) does not exist") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    let missing = #expect(throws: CatalogueError.self) {
      try SQLiteImportFile(path: path + "/art.db").importing { _ in }
    }
    guard case .unavailable = missing else {
      Issue.record("The error is \(String(describing: missing)).")
      return
    }
    #expect(throws: CatalogueError.unavailable("\(folder.path(".")) is a folder, not a database")) {
      try SQLiteFile(path: folder.path("."))
    }
  }

  @Test func `an import's statement is stopped from another thread`() throws {
    let file = SQLiteImportFile(path: path)
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { file.interrupt() }
    timer.schedule(deadline: .now(), repeating: .milliseconds(5))
    timer.activate()
    defer { timer.cancel() }
    #expect(throws: CatalogueError.interrupted) {
      try file.importing { session in
        try session.run(
          """
          WITH RECURSIVE counter (number) AS (
            SELECT 1 UNION ALL SELECT number + 1 FROM counter WHERE number < 1000000000)
          SELECT count(*) FROM counter
          """)
      }
    }
  }
}
