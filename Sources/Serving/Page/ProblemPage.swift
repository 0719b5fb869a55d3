import HTTP

extension PageFile {
  /// The texts of the page of a 404. The last one is the direction of the language.
  package static let problemTexts = [
    "Not Found", "There is nothing at this address.", "To the first page", "ltr",
  ]

  /// A 404 or a 400 as an HTML page, for requests that read and name HTML in `Accept`. Scripts send
  /// `Accept: */*` and get a ``Problem``.
  func problemPage(_ problem: Problem, for request: Request) -> Response? {
    let isMissing = problem.status == 404
    guard isMissing || problem.status == 400, request.method.isRead, request.accepts("text/html")
    else {
      return nil
    }
    let language =
      (try? language(for: request)) ?? PageLanguage(of: request, among: [.english])
    var texts = Self.problemTexts.map { HTML.escaped(language.words[$0]) }
    if !isMissing { texts[0] = HTML.escaped(problem.title) }
    // The detail of a problem is always in English.
    if !isMissing {
      texts[1] = HTML.escaped(problem.detail)
    } else if language.words.language == "en" {
      let detail = problem.detail
      let end = detail.hasSuffix(".") ? "" : "."
      texts[1] = HTML.escaped(detail.prefix(1).uppercased() + detail.dropFirst() + end)
    }
    let home = language.given.map { "/?lang=\($0)" } ?? "/"
    let strip = (try? Query(request, ignoring: "v"))?.first { $0.name.equals("strip") }
    let name = strip.map { HTML.escaped(String(decoding: $0.value, as: UTF8.self)) } ?? ""
    let link = "<a href=\"/?strip=\(name)\(language.parameter)\">\(name)</a>"
    let html = """
      <!doctype html>
      <html lang="\(language.words.language)" dir="\(texts[3])">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(texts[0])</title>
      <link rel="stylesheet" href="/css/strip.css">
      <link rel="stylesheet" href="/css/page.css">
      <link rel="stylesheet" href="/css/masthead.css">
      </head>
      <body>
      <header class="masthead">
        <p class="name"><a href="\(home)">carousel</a></p>
        <nav aria-label="\(HTML.escaped(language.words["Strips"]))"><ul>
          <li><a href="/docs/">\(HTML.escaped(language.words["Documentation"]))</a></li>
        </ul></nav>
      </header>
      <main class="problem">
        <h1>\(texts[0])</h1>
        <p>\(texts[1])</p>
        <p>\(name.isEmpty || isMissing ? "" : link)</p>
        <p><a href="\(home)">\(texts[2])</a></p>
      </main>
      </body>
      </html>

      """
    return Response(
      status: problem.status, "text/html; charset=utf-8", Array(html.utf8),
      fields: [
        Field("Cache-Control", "no-store"), Field("Vary", "Accept, Accept-Language"),
        SecurityPolicy.ofFiles,
      ])
  }
}

/// The files of a folder. A missing file is a page for browsers. Its answer is not deferred.
struct FilesWithErrorPages: Handler {
  let files: any Handler
  let pages: PageFile

  func answer(_ request: Request) -> Answer {
    let answer = files.answer(request)
    guard case .response(let response) = answer, response.status == 404,
      let page = pages.problemPage(.notFound("There is nothing at this path."), for: request)
    else { return answer }
    return .response(page)
  }
}
