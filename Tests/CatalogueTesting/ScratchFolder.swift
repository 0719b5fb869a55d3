import Foundation

/// A folder for the files of one test, deleted after it.
package final class ScratchFolder {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "carousel-items-\(UUID().uuidString)")

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path) }
  }
}
