import Foundation
import Items

/// `import --skipped`: the file that lists the skipped records.
final class SkippedRecords {
  private let name: String
  private let file: UnsafeMutablePointer<FILE>

  /// Makes or empties the file. All functions throw `.failed` if it cannot be written.
  init(to name: String) throws(CatalogueError) {
    self.name = name
    guard let file = fopen(name, "we") else { throw Self.writeError(name) }
    self.file = file
  }

  deinit { fclose(file) }

  func restart() {
    fflush(file)
    rewind(file)
    ftruncate(fileno(file), 0)
  }

  func append(_ error: String) throws(CatalogueError) {
    guard fputs(error.escapingControls() + "\n", file) >= 0 else { throw Self.writeError(name) }
  }

  func finish() throws(CatalogueError) {
    guard fflush(file) == 0 else { throw Self.writeError(name) }
  }

  private static func writeError(_ name: String) -> CatalogueError {
    .failed("cannot write \(name): \(String(cString: strerror(errno)))")
  }
}
