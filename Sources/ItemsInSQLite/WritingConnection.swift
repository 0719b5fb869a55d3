import Catalogue
import Foundation
import GRDB

/// How a database is opened to be changed while others read it.
enum WritingConnection {
  /// - Throws: `.unavailable` when there is none, it is none of ours, or of a newer version.
  static func open(_ path: String) throws -> DatabaseQueue {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CatalogueError.unavailable("\(path) does not exist")
    }
    try Migration.bringUpToDate(path)
    var configuration = Configuration()
    configuration.busyMode = .timeout(TimeInterval(WriteDeadline.seconds))
    configuration.prepareDatabase { db in
      // The inner pages of a long strip, and those that a large change writes, stay in memory.
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { _ = try Schema.check($0, path: path) }
    try Restoration.goOn(queue)
    return queue
  }
}
