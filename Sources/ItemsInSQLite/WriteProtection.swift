import Catalogue
import Foundation

/// Why this process can write nothing to a database that is there.
///
/// SQLite writes to a log beside the file first: it needs the folder as well.
enum WriteProtection: String {
  case ofFile = "it is read-only"
  case ofFolder = "its folder is read-only, and changes go to a log beside the file first"
  case ofFileSystem = "it is on a read-only file system"

  /// - Returns: nil where it can be written, as far as permissions say, or there is no such file.
  init?(of path: String) {
    guard access(path, F_OK) == 0 else { return nil }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    for (place, protection) in [(path, Self.ofFile), (folder, .ofFolder)]
    where access(place, W_OK) != 0 {
      self = errno == EROFS ? .ofFileSystem : protection
      return
    }
    return nil
  }

  /// What whoever would write to the database at `path` is told.
  func error(of path: String) -> CatalogueError {
    .failed("\(path) cannot be written: \(rawValue)")
  }
}
