import FoundationEssentials
import Glibc
import HTTP
import Synchronization

/// The demo page: `Public/index.html`, a template that has the cards' templates in it.
struct Page: Sendable {
  let cards: Cards
  let template: Template

  init(_ html: String) throws(Template.Fault) {
    cards = Cards(in: html)
    template = try Template(html)
  }
}

/// The file of the page, which is read again when it has changed.
package final class PageFile: Sendable {
  private let path: String
  private let loaded: Mutex<Loaded?> = Mutex(nil)

  private struct Loaded {
    let page: Page
    let stamp: Stamp
  }

  /// Differs between two states of a file.
  private struct Stamp: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  package init(path: String) { self.path = path }

  /// The page, as it is in the file now.
  ///
  /// - Throws: 404 if there is no such file, 500 if it is no template.
  func current() throws(Problem) -> Page {
    guard let stamp = stamp() else {
      throw .notFound("There is no page: index.html is not in the folder of files.")
    }
    if let loaded = loaded.withLock({ $0 }), loaded.stamp == stamp { return loaded.page }
    guard let html = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Problem(status: 500, detail: "The page template index.html cannot be read as UTF-8.")
    }
    do throws(Template.Fault) {
      let page = try Page(html)
      loaded.withLock { $0 = Loaded(page: page, stamp: stamp) }
      return page
    } catch {
      throw Problem(
        status: 500,
        detail: "The page template index.html is not valid: line \(error.line), \(error).")
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
