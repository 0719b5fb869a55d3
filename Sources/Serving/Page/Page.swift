import FoundationEssentials
import Glibc
import HTTP
import Synchronization

/// The demo page: `Public/index.html`, a template that has the cards' templates in it.
struct Page: Sendable {
  let cards: Cards
  let template: Template

  init(_ html: String) throws(Template.Fault) {
    cards = try Cards(in: html)
    template = try Template(html)
  }
}

/// The file of the page and those of card templates beside it, which are read again when they have changed.
package final class PageFile: Sendable {
  private let path: String
  private let page = WatchedFile<Page>()
  private let cards: Mutex<[String: WatchedFile<Cards>]> = Mutex([:])

  package init(path: String) { self.path = path }

  /// The page, as it is in the file now.
  ///
  /// - Throws: 404 if there is no such file, 500 if it is no template.
  func current() throws(Problem) -> Page {
    guard let page = try page.value(of: path, named: "page template index.html", Page.init) else {
      throw .notFound("There is no page: index.html is not in the folder of files.")
    }
    return page
  }

  /// The card templates of the page, or those of `templates/NAME.html` in its folder.
  ///
  /// - Throws: as ``current()``.
  func cards(named name: String?) throws(Problem) -> Cards {
    guard let name else { return try current().cards }
    let file = cards.withLock { $0[name] } ?? WatchedFile()
    let folder = path.dropLast("index.html".count)
    let path = "\(folder)templates/\(name).html"
    let found = try file.value(of: path, named: "card template \(name).html", Cards.init(in:))
    guard let found else {
      throw .notFound("There is no file templates/\(name).html.", parameter: "template")
    }
    cards.withLock { $0[name] = file }
    return found
  }
}

/// What a file says, which is read again when it has changed.
private final class WatchedFile<Value: Sendable>: Sendable {
  private let loaded: Mutex<(value: Value, stamp: Stamp)?> = Mutex(nil)

  /// Differs between two states of a file.
  private struct Stamp: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// The value of the file now; nil if there is no such file.
  ///
  /// - Throws: 500 if it is no template.
  func value(
    of path: String, named name: String, _ parse: (String) throws(Template.Fault) -> Value
  ) throws(Problem) -> Value? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let stamp = Stamp(
      size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
    if let loaded = loaded.withLock({ $0 }), loaded.stamp == stamp { return loaded.value }
    guard let html = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Problem(status: 500, detail: "The \(name) cannot be read as UTF-8.")
    }
    do throws(Template.Fault) {
      let value = try parse(html)
      loaded.withLock { $0 = (value, stamp) }
      return value
    } catch {
      throw Problem(
        status: 500, detail: "The \(name) is not valid: line \(error.line), \(error).")
    }
  }
}
