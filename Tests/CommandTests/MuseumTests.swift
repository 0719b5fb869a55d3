import Foundation
import Testing

/// An import of the Tate's catalogue of 69,202 artworks. The file is not part of the project.
struct MuseumTests {
  private static let table = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/data/tate-artworks.csv.gz").standardizedFileURL

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: table.path), "needs the CSV file of the Tate"))
  func `a real CSV file of 69,202 artworks survives import and export`() throws {
    let workspace = try Workspace()
    let unpacking = try Shell.run(
      "gunzip -c \"$0\" > \"$1\"", Self.table.path, workspace.path("tate.csv"))
    try #require(unpacking.status == 0)
    let outcome = try workspace.importing(
      workspace.path("tate.csv"), "--map", "id=accession_number", "--map", "title=title", "--map",
      "subtitle=artist", "--map", "image=thumbnailUrl", "--map", "href=url", "--map",
      "kind=classification", "--map", "aspect=width/height", "--aspect-range", "0.25:4", "--sort",
      "year", "--map", "group=year")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("69,202 items"))
    #expect(outcome.output.contains("on-paper-unique 46,199"))
    #expect(outcome.output.contains("3,368 items without a size, 323 aspects clamped"))

    let lines = try workspace.export().output
    let again = try workspace.file("tate.jsonl", lines)
    #expect(try workspace.importing(again, strip: "again").status == 0)
    #expect(try workspace.export("again").output == lines)
  }
}
