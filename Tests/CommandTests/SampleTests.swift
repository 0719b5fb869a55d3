import Foundation
import Testing

/// The sample data in `Samples/`.
struct SampleTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the sample can be imported, and each of its pictures exists`() throws {
    let workspace = try Workspace()
    let outcome = try workspace.importing(
      Self.project.appending(path: "Samples/curves.csv").path, "--gap", "12", "--map",
      "title=title",
      "--map", "subtitle=equation", "--map", "image=picture", "--map", "alt=alt", "--map",
      "color=color", "--map", "studied=studied", "--map", "aspect=width/height", "--map",
      "group=family")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("275 items"))
    let lines = try workspace.export().output.split(separator: "\n")
    #expect(lines.count == 275)
    for line in lines {
      let item = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let fields = try #require(item["fields"] as? [String: String])
      let image = try #require(fields["image"])
      #expect(
        FileManager.default.fileExists(atPath: Self.project.path + "/Public" + image), "\(line)")
      #expect(fields["title"]?.isEmpty == false && item["group"] is String)
    }
  }
}
