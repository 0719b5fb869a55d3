private import FoundationEssentials
package import HTTP
private import Items

/// What a page of this server may load and run (Content-Security-Policy): nothing that stands in the page
/// itself, be it a script or a style, but for a style that the server vouches for.
package enum SecurityPolicy {
  /// Of a page that is a file. It may be anybody's, so it may have whatever else lies in the folder.
  package static let ofFiles = field(["default-src 'self'", "object-src 'none'"])

  /// Of the demo page, whose `style` is let in by its hash.
  static func ofDemo(allowing style: String) -> Field {
    let hash = Data(Digest(of: Array(style.utf8)).bytes).base64EncodedString()
    return field([
      "default-src 'none'", "script-src 'self'", "style-src 'self' 'sha256-\(hash)'",
      "connect-src 'self'",
    ])
  }

  /// Pictures may come from anywhere, as those of items do.
  private static func field(_ sources: [String]) -> Field {
    let all =
      sources + [
        "img-src 'self' http: https:", "base-uri 'none'", "form-action 'self'",
        "frame-ancestors 'self'",
      ]
    return Field("Content-Security-Policy", all.joined(separator: "; "))
  }
}
