package import Catalogue
import Foundation
import GRDB

/// Copies of a database that are whole, whatever is written meanwhile.
package enum Backup {
  /// Copies the database at `path` to a file that is not there yet.
  ///
  /// - Throws: `.unavailable` where there is no database, or something at `copy`; `.failed` where it
  ///   cannot be written.
  /// - Complexity: O(pages); writers are not kept from writing.
  package static func copy(_ path: String, to copy: String) throws(CatalogueError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .unavailable("\(path) does not exist")
    }
    try catching(path) {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(10)
      let (queue, file) = try ImmutableDatabase.open(path) { name in
        let queue = try DatabaseQueue(path: name, configuration: configuration)
        try queue.read { _ = try Schema.check($0, path: path) }
        return queue
      }
      try Self.copy(queue, to: copy, mark: Restoration.mark) { try file?.check() }
      try queue.close()
    }
  }

  /// Copies into a file under another name, which gets its own when it is whole.
  ///
  /// - Parameters:
  ///   - mark: writes into the copy what tells it from the database.
  ///   - check: throws where what has been copied is of no use.
  @discardableResult
  static func copy(
    _ source: DatabaseQueue, to name: String, mark: (Database) throws -> Void = { _ in },
    _ check: () throws -> Void = {}
  ) throws -> String {
    guard TemporaryDatabase.isNothing(name) else {
      throw CatalogueError.unavailable("\(name) is there already")
    }
    var making = try TemporaryDatabase(path: name)
    try catching(name) {
      let copy = try DatabaseQueue(path: making.temporary)
      try source.backup(to: copy)
      try copy.writeWithoutTransaction(mark)
      try copy.close()
    }
    try check()
    try making.publish()
    return name
  }
}
