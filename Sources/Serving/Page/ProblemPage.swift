import Catalogue
import HTTP

extension ReadContext {
  var isForPage: Bool { request.path.equals("/") }

  /// A problem: as a page if the request is for the page, else as JSON.
  func response(to problem: Problem) -> Response {
    let page = isForPage ? app.pages.problemPage(problem, for: request) : nil
    return page ?? problem.response
  }
}

extension PageFile {
  /// The page of a 404, a 400 or a 503.
  package static let problemTemplate: Template = {
    do {
      return try Template(String(decoding: PackageResources.problem_html, as: UTF8.self))
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// A 404, a 400 or a 503 as an HTML page, for requests that read and name HTML in `Accept`. Scripts send
  /// `Accept: */*` and get a ``Problem``. The page of a 503 loads itself again after `Retry-After`.
  func problemPage(_ problem: Problem, for request: Request) -> Response? {
    guard [400, 404, 503].contains(problem.status), request.method.isRead,
      request.accepts("text/html")
    else { return nil }
    let language =
      (try? language(for: request)) ?? PageLanguage(of: request, among: [.english])
    let words = language.words
    // The detail of a problem is always in English. That of a 400 begins with the name of a parameter.
    let detail = problem.detail + (problem.detail.hasSuffix(".") ? "" : ".")
    var values: [String: Template.Value] = [
      "language": .text(words.language), "parameter": .text(language.parameter),
      "home": .text(language.given.map { "/?lang=\($0)" } ?? "/"),
    ]
    switch problem.status {
    case 404:
      let isEnglish = words.language == "en"
      values["absence"] = .text(
        isEnglish
          ? detail.prefix(1).uppercased() + detail.dropFirst()
          : words["There is nothing at this address."])
    case 503:
      let delay = problem.fields.first { $0.name.description == "Retry-After" }
      values["delay"] = .text(delay?.value ?? "1")
    default:
      let parameters = try? Parameters(request, known: ["strip"], ignoresOthers: true)
      values["fault"] = .text(detail)
      values["strip"] = (try? parameters?.stripName("strip")).map { .text($0) }
    }
    let html = Self.problemTemplate.rendered(values, in: words)
    var response = Response(
      status: problem.status, "text/html; charset=utf-8", Array(html.utf8),
      fields: [
        Field("Cache-Control", "no-store"), Field("Vary", "Accept, Accept-Language"),
        ContentSecurityPolicy.ofFiles,
      ] + problem.fields)
    response.cause = problem.cause
    return response
  }
}

/// Serves the files of a folder. Browsers get a page for a missing file. (`files` does not defer a 404.)
struct FilesWithErrorPages: Handler {
  let files: any Handler
  let pages: PageFile
  let disk: WorkQueue<Never>

  func handle(_ request: Request) -> HandlerResult {
    files.cachedResponse(request).map(HandlerResult.response) ?? disk.result { found(request) }
  }

  private func found(_ request: Request) -> HandlerResult {
    let answer = files.handle(request)
    guard case .response(let response) = answer, response.status == 404,
      let page = pages.problemPage(.notFound("There is nothing at this path."), for: request)
    else { return answer }
    return .response(page)
  }
}
