import Foundation

/// A temporary folder with a database. It is deleted after the test.
final class Workspace {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "carousel-command-\(UUID().uuidString)")

  var database: String { path("strips.db") }

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func importing(
    _ file: String, _ options: String..., strip: String = "s"
  ) throws -> Command.Outcome {
    try Command.run(["import", file, "--database", database, "--strip", strip] + options)
  }

  func export(_ strip: String = "s") throws -> Command.Outcome {
    try Command.run(["export", "--database", database, "--strip", strip])
  }
}
