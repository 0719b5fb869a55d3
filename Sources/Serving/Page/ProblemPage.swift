import HTTP

/// A 404 as a page, for a visitor whose browser asks for HTML. Scripts ask for `*/*`, and get a ``Problem``.
struct ProblemPage {
  let response: Response

  /// Nil if the problem is no 404, or if the request does not accept HTML.
  init?(_ problem: Problem, for request: Request) {
    guard problem.status == 404, request.method.isRead, request.acceptsHTML else { return nil }
    let (title, detail) = (HTML.escaped(problem.title), HTML.escaped(problem.detail))
    let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <link rel="stylesheet" href="/css/strip.css">
      <link rel="stylesheet" href="/css/page.css">
      </head>
      <body>
      <main class="problem">
        <h1>\(title)</h1>
        <p>\(detail)</p>
        <p><a href="/">To the first strip</a></p>
      </main>
      </body>
      </html>

      """
    response = Response(
      status: problem.status, "text/html; charset=utf-8", Array(html.utf8),
      fields: [Field("Cache-Control", "no-store"), SecurityPolicy.ofFiles])
  }
}

/// The files of a folder, with a ``ProblemPage`` for a missing one. Files are answered at once.
struct VisitedFiles: Handler {
  let files: any Handler

  func answer(_ request: Request) -> Answer {
    let answer = files.answer(request)
    guard case .response(let response) = answer, response.status == 404,
      let page = ProblemPage(.notFound("There is nothing at this path."), for: request)
    else { return answer }
    return .response(page.response)
  }
}

extension Request {
  /// Whether `Accept` names `text/html`, with a quality above 0.
  fileprivate var acceptsHTML: Bool {
    guard let accept = self["accept"] else { return false }
    return accept.split(separator: UInt8(ascii: ",")).contains { range in
      let parts = range.split(separator: UInt8(ascii: ";")).map(\.trimmed)
      return parts.first?.equalsIgnoringCase("text/html") == true
        && !parts.dropFirst().contains { $0.equalsIgnoringCase("q=0") }
    }
  }
}
