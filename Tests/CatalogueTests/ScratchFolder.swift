import Foundation

/// A folder for the files of one test, deleted after it.
final class ScratchFolder {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "carousel-items-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path) }
  }
}
