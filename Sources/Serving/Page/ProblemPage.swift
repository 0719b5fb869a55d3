import HTTP

extension PageFile {
  /// The texts of the pages of a 404 and a 400. The last one is the direction of the language.
  package static let problemTexts = [
    "Not Found", "There is nothing at this address.", "This page cannot be shown",
    "Show the strip without these settings", "To the first page", "ltr",
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
    let texts = Self.problemTexts.map { HTML.escaped(language.words[$0]) }
    let title = texts[isMissing ? 0 : 2]
    // The detail of a problem is always in English. That of a 400 begins with the name of a parameter.
    let end = problem.detail.hasSuffix(".") ? "" : "."
    var detail = HTML.escaped(problem.detail + end)
    if isMissing {
      let isEnglish = language.words.language == "en"
      detail = isEnglish ? detail.prefix(1).uppercased() + detail.dropFirst() : texts[1]
    } else {
      detail = "<span lang=\"en\" dir=\"ltr\">\(detail)</span>"
    }
    let home = language.given.map { "/?lang=\($0)" } ?? "/"
    let parameters = try? Parameters(request, known: ["strip"], ignoresOthers: true)
    let strip = isMissing ? nil : try? parameters?.stripName("strip")
    let link = strip.map { name in
      "<p><a href=\"/?strip=\(name)\(language.parameter)\">\(texts[3])</a></p>\n  "
    }
    let html = """
      <!doctype html>
      <html lang="\(language.words.language)" dir="\(texts[5])">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) · carousel</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml">
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
        <h1>\(title)</h1>
        <p>\(detail)</p>
        \(link ?? "")<p><a href="\(home)">\(texts[4])</a></p>
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

/// The files of a folder. A missing file is a page for browsers. Its response is not deferred.
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
