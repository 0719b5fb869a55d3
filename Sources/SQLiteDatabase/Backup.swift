import Foundation
import GRDB
package import Items

package enum Backup {
  /// Copies the database at `path` to a new file, and marks it as a copy for `FencingEpoch`.
  ///
  /// - Throws: `.unavailable` if there is no database at `path` or a file at `copy`; `.failed` if the copy cannot be
  ///   written.
  /// - Complexity: O(pages). Writers do not wait.
  package static func copy(_ path: String, to copy: String) throws(CatalogueError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .unavailable("\(path) does not exist")
    }
    guard FileStatus.isMissingOrEmpty(copy) else {
      throw .unavailable("\(copy) exists already")
    }
    try mappingErrors(path) {
      let source = try DatabaseQueue(
        path: path, configuration: Configuration(readonly: true, timeout: 10))
      try source.read { try Schema.check($0, path: path) }
      var making = try TemporaryDatabase(path: copy)
      try mappingErrors(copy) {
        let target = try DatabaseQueue(path: making.temporary)
        try source.backup(to: target)
        try target.writeWithoutTransaction { try Schema.revokeEpoch($0) }
        try target.close()
      }
      try making.publish()
      try source.close()
    }
  }
}
