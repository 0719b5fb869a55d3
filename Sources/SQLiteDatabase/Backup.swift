package import Catalogue
import Foundation

/// Makes consistent copies of a database while it is being written.
package enum Backup {
  /// Copies the database at `path` to a new file. The copy is marked as one for `RestoreGuard`.
  ///
  /// - Throws: `.unavailable` if there is no database at `path` or a file at `copy`; `.failed` if the
  ///   copy cannot be written.
  /// - Complexity: O(pages). Writers can write at the same time.
  package static func copy(_ path: String, to copy: String) throws(CatalogueError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .unavailable("\(path) does not exist")
    }
    guard TemporaryDatabase.isMissingOrEmpty(copy) else {
      throw .unavailable("\(copy) exists already")
    }
    try mappingErrors(path) {
      let (source, file) = try ImmutableDatabase.open(path) { name in
        let connection = try SQLiteConnection(path: name, isReadOnly: true, timeout: 10_000)
        try connection.use { try Schema.check($0, path: path) }
        return connection
      }
      var making = try TemporaryDatabase(path: copy)
      try mappingErrors(copy) {
        let target = try SQLiteConnection(path: making.temporary)
        try target.use { target in
          try source.use { try $0.backup(to: target) }
          try Schema.markCopy(target)
        }
        target.close()
      }
      try file?.check()
      try making.publish()
      source.close()
    }
  }
}
