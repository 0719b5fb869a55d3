private import Catalogue
private import FoundationEssentials
package import HTTP

/// What a page of this server may load and run (Content-Security-Policy): nothing that stands in the page
/// itself, be it a script or a style, but for a style that the server vouches for.
///
/// It may be anybody's page, the one that strips are drawn into too: so it may have whatever else lies in
/// the folder. Pictures may come from anywhere, as those of items do.
package enum SecurityPolicy {
  /// Of a page that is a file.
  package static let ofFiles = field("style-src 'self'")

  /// Of the page that has a first window in it, whose `style` is let in by its hash.
  static func ofPage(allowing style: String) -> Field {
    let hash = Data(Digest(of: Array(style.utf8)).bytes).base64EncodedString()
    return field("style-src 'self' 'sha256-\(hash)'")
  }

  private static func field(_ styles: String) -> Field {
    let sources = [
      "default-src 'self'", styles, "img-src 'self' http: https:", "object-src 'none'",
      "base-uri 'none'", "form-action 'self'", "frame-ancestors 'self'",
    ]
    return Field("Content-Security-Policy", sources.joined(separator: "; "))
  }
}
