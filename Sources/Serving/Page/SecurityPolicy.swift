private import Catalogue
private import Cryptography
private import FoundationEssentials
package import HTTP

/// What a page may load and run (Content-Security-Policy): files of the folder, and images from anywhere,
/// as items have. Inline scripts and styles are blocked, except one style with a known hash.
package enum SecurityPolicy {
  /// The policy of a page that is a file.
  package static let ofFiles = field("style-src 'self'")

  /// The policy of a drawing that is opened as a page: it has its own styles, and runs no script.
  package static let ofDrawings = Field(
    "Content-Security-Policy",
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")

  /// The policy of the page with a first window, which allows its inline `style` by hash.
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
