internal import Crypto
internal import FoundationEssentials
internal import HTTP
internal import Items
internal import Windowing

extension Site {
  /// `GET /`: the demo page with its first window in it, which works without JavaScript.
  func page(_ request: Request, _ path: PathValues) throws(Problem) -> Response {
    let query = try PageQuery(request)
    let edition = try edition(of: query.window.strip)
    let answer = try query.answer(from: edition)
    let page = try pages.current()
    let neighbours = Neighbours(of: answer)
    let style = answer.styleSheet

    let values = PageValues(
      strip: edition.name, title: edition.settings.title,
      countText: Self.count(edition.strip.count), last: max(0, edition.strip.count - 1),
      strips: try links(current: edition.name), style: style,
      window: String(decoding: try answer.json(withItems: false), as: UTF8.self),
      isGrouped: edition.strip.groupRuns(from: 0).first { _ in true } != nil,
      group: answer.group?.title ?? "",
      items: String(decoding: try answer.html(page.cards), as: UTF8.self),
      previous: neighbours.previous.map { query.link(to: $0, in: edition.name) },
      next: neighbours.next.map { query.link(to: $0, in: edition.name) })
    return reading(
      page.rendered(values), as: "text/html; charset=utf-8", isPinned: false, to: request,
      fields: [Field("Content-Security-Policy", Self.securityPolicy(allowing: style))])
  }

  /// The strips to choose from: as many as one page of the list has.
  private func links(current: String) throws(Problem) -> [PageValues.Link] {
    try names(after: nil, limit: 100).map { name throws(Problem) in
      PageValues.Link(
        title: try edition(of: name).settings.title, href: "/?strip=\(name)",
        isCurrent: name == current)
    }
  }

  /// A security policy that lets the page's own scripts and styles run, and `style` by its hash.
  private static func securityPolicy(allowing style: String) -> String {
    let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
    return [
      "default-src 'none'", "script-src 'self'", "style-src 'self' 'sha256-\(hash)'",
      "img-src 'self' http: https:", "connect-src 'self'", "base-uri 'none'",
      "form-action 'self'", "frame-ancestors 'self'",
    ].joined(separator: "; ")
  }

  /// A number of items as a reader sees it: `1,000 items`.
  private static func count(_ count: Int) -> String {
    var digits = String(count)
    var index = digits.endIndex
    while digits.distance(from: digits.startIndex, to: index) > 3 {
      index = digits.index(index, offsetBy: -3)
      digits.insert(",", at: index)
    }
    return count == 1 ? "1 item" : "\(digits) items"
  }
}
