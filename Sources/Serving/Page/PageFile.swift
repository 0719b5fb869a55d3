import FoundationEssentials
package import HTTP
import Synchronization

/// The page of a strip, `Public/index.html`: a template that contains the card templates.
struct Page: Sendable {
  let cards: CardTemplates
  let template: Template

  init(_ html: String) throws(Template.SyntaxError) {
    cards = try CardTemplates(in: html)
    template = try Template(html)
  }

  /// The card templates for a strip. The template of the kind `card` has `facts`.
  func cards(with facts: CardFacts) throws(Problem) -> CardTemplates {
    guard !facts.isEmpty else { return cards }
    do throws(Template.SyntaxError) {
      return try CardTemplates(in: facts.added(to: cards).map(\.html).joined())
    } catch {
      throw Problem(status: 500, detail: "The card template of index.html is not valid: \(error).")
    }
  }
}

/// The files of the page: its template, other card templates, and texts in other languages. A file
/// that has changed is read again. All functions throw 500 for a file that is not valid or cannot be read, and 503 if it
/// cannot be read now.
package final class PageFile: Sendable {
  private let path: String
  private let page = WatchedFiles<Page>()
  private let cards = WatchedFiles<CardTemplates>()
  private let firsts = WatchedFiles<Template>()
  private let words = WatchedFiles<Translation>()

  /// The folder of the page, with a slash at the end.
  private var folder: Substring { path.dropLast("index.html".count) }

  package init(path: String) { self.path = path }

  /// The page, as the file is now.
  ///
  /// - Throws: 404 if there is no such file.
  func current() throws(Problem) -> Page {
    let page = try page.value(of: path, named: "page template index.html") {
      html, _ throws(Template.SyntaxError) in try Page(html)
    }
    guard let page else {
      throw .notFound("There is no page: index.html is not in the folder of files.")
    }
    return page
  }

  /// The first page of a server with several strips: `first.html` in the folder. Nil if there is no such file.
  func first() throws(Problem) -> Template? {
    try firsts.value(of: "\(folder)first.html", named: "page template first.html") {
      html, _ throws(Template.SyntaxError) in try Template(html)
    }
  }

  /// The card templates of the page, or of `templates/NAME.html` in its folder.
  ///
  /// - Throws: 404 if there is no such file.
  func cards(named name: String?) throws(Problem) -> CardTemplates {
    guard let name else { return try current().cards }
    let cards = try cards.value(
      of: "\(folder)templates/\(name).html", named: "card template \(name).html"
    ) {
      html, _ throws(Template.SyntaxError) in try CardTemplates(in: html)
    }
    guard let cards else {
      throw .notFound("There is no file templates/\(name).html.", parameter: "template")
    }
    return cards
  }

  /// The language for `request`. Each file `js/words/page/NAME.json` in the folder adds a language.
  package func language(for request: Request) throws(Problem) -> PageLanguage {
    let files = "\(folder)js/words/page"
    let names = try names(in: files).filter { $0.hasSuffix(".json") }
      .map { $0.dropLast(".json".count) }
    var all = names.contains("en") ? [] : [Translation.english]
    for name in names {
      let file = "\(files)/\(name).json"
      let ofElement = "\(folder)js/words/\(name).json"
      let found = try words.value(of: file, and: ofElement, named: "text file \(name).json") {
        json, element throws(Template.SyntaxError) in
        try Translation(language: String(name), page: json, element: element)
      }
      if let found { all.append(found) }
    }
    return PageLanguage(of: request, among: all.sorted { $0.language < $1.language })
  }

  /// Empty if there is no such folder.
  private func names(in folder: String) throws(Problem) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      if (error as? CocoaError)?.code == .fileReadNoSuchFile { return [] }
      var problem = Problem.unavailable("The texts of the page cannot be read now.")
      problem.cause = "\(folder): \(error)"
      throw problem
    }
  }
}

/// The contents of files, by their paths. A file is read again when it has changed.
private final class WatchedFiles<Value: Sendable>: Sendable {
  private let loaded: Mutex<[String: (value: Value, state: [FileStamp?])]> = Mutex([:])

  /// The parsed contents of the file. Nil if there is no such file.
  ///
  /// - Parameter other: another file whose text `parse` gets, if it is there.
  func value(
    of path: String, and other: String? = nil, named name: String,
    _ parse: (String, _ other: String?) throws(Template.SyntaxError) -> Value
  ) throws(Problem) -> Value? {
    guard let stamp = FileStamp(ofFileAt: path) else { return nil }
    let state = [stamp, other.flatMap(FileStamp.init(ofFileAt:))]
    if let loaded = loaded.withLock({ $0[path] }), loaded.state == state { return loaded.value }
    let text = try self.text(of: path, named: name)
    var otherText: String?
    if let other, state[1] != nil {
      otherText = try self.text(of: other, named: "\(name) of the strips")
    }
    do throws(Template.SyntaxError) {
      let value = try parse(text, otherText)
      loaded.withLock { $0[path] = (value, state) }
      return value
    } catch {
      throw Problem(
        status: 500, detail: "The \(name) is not valid: line \(error.line), \(error).")
    }
  }

  private func text(of path: String, named name: String) throws(Problem) -> String {
    let bytes: [UInt8]
    do throws(Problem) {
      bytes = try File.contents(at: path)
    } catch {
      var problem = error
      problem.detail = "The \(name) cannot be read\(error.status == 503 ? " now" : "")."
      problem.cause = "\(path): \(error.cause ?? "")"
      throw problem
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(status: 500, detail: "The \(name) cannot be read as UTF-8.")
    }
    return text
  }
}
