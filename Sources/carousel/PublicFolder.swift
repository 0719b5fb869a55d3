import FoundationEssentials

/// Where the page and its files are.
enum PublicFolder {
  /// The folder given, else `Public` here, else `Public` beside the program.
  ///
  /// - Throws: a sentence that names the folders looked for.
  static func path(_ given: String?) throws -> String {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = given.map { [$0] } ?? ["Public", program.appending(path: "Public").path]
    let folder = candidates.first { path in
      var isFolder = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
    guard let folder else {
      throw Failure.unavailable(
        "there is no folder \(candidates.joined(separator: " or ")): name the one with the page's "
          + "files with --public")
    }
    return folder
  }
}
