import Catalogue
import Foundation

/// `import --skipped`: the file that lists each record that an import has skipped, a line each.
final class SkippedRecords {
  private let name: String
  private let file: UnsafeMutablePointer<FILE>

  /// Makes the file, or empties it.
  ///
  /// - Throws: `.failed` if it cannot be written.
  init(to name: String) throws(CatalogueError) {
    self.name = name
    guard let file = fopen(name, "we") else { throw Self.writeError(name) }
    self.file = file
  }

  deinit { fclose(file) }

  /// Removes all lines: the import starts again.
  func restart() {
    fflush(file)
    rewind(file)
    ftruncate(fileno(file), 0)
  }

  func append(_ error: String) throws(CatalogueError) {
    guard fputs(error.escapingControls() + "\n", file) >= 0 else { throw Self.writeError(name) }
  }

  /// - Throws: `.failed` if a line could not be written.
  func finish() throws(CatalogueError) {
    guard fflush(file) == 0 else { throw Self.writeError(name) }
  }

  private static func writeError(_ name: String) -> CatalogueError {
    .failed("cannot write \(name): \(String(cString: strerror(errno)))")
  }
}
