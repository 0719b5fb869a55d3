private import Catalogue
private import Cryptography
private import FoundationEssentials
package import HTTP
import Items

/// The Content-Security-Policy of pages. They may load files of the folder, and images from any
/// server, because items contain URLs of images. Inline scripts and styles are blocked, except one
/// style with a known hash.
package enum ContentSecurityPolicy {
  /// The policy of HTML files and of windows as HTML.
  package static let ofFiles = field("style-src 'self'")

  /// The policy of an SVG or XML file that a browser opens as a page. It permits inline styles and
  /// no scripts.
  package static let ofXML = Field(
    "Content-Security-Policy",
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")

  /// The policy of pages with first windows. It allows their inline `style` by its hash.
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
