import FoundationEssentials
import Glibc
import HTTP
import Mustache
import Synchronization

/// The file that the page's template is in, read again when it has changed.
package final class PageFile: Sendable {
  private let path: String
  private let loaded: Mutex<Loaded?> = Mutex(nil)

  private struct Loaded {
    let page: Page
    let stamp: Stamp
  }

  /// What tells one state of a file from the next.
  private struct Stamp: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// - Parameter path: the file's path.
  package init(path: String) {
    self.path = path
  }

  /// The page as the file has it now.
  ///
  /// - Throws: 404 where there is no such file, 500 where it is no template.
  func current() throws(Problem) -> Page {
    guard let stamp = stamp() else {
      throw .notFound("There is no page: index.html is not in the folder of files.")
    }
    if let loaded = loaded.withLock({ $0 }), loaded.stamp == stamp { return loaded.page }
    do {
      let page = try Page(try String(contentsOfFile: path, encoding: .utf8))
      loaded.withLock { $0 = Loaded(page: page, stamp: stamp) }
      return page
    } catch let error as MustacheTemplate.ParserError {
      throw Problem(
        status: 500,
        detail: "The page's template is none: \(error.error), line \(error.context.lineNumber).")
    } catch {
      throw Problem(status: 500, detail: "The page's template cannot be read.")
    }
  }

  private func stamp() -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Stamp(
      size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }
}
