/// The media types of the files that a page is made of, by the ending of their names.
enum MediaType {
  static func of(fileNamed name: Bytes) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
    return byEnding[name[(dot + 1)...].text.lowercased()] ?? unknown
  }

  /// Whether `type` is text, which packs well; pictures and fonts are packed already.
  static func isText(_ type: String) -> Bool {
    let type = type.utf8
    return type.starts(with: "text/".utf8) || type.starts(with: "application/json".utf8)
      || type.starts(with: "image/svg".utf8) || type.starts(with: "application/manifest".utf8)
      || type.starts(with: "application/xml".utf8)
  }

  /// Whether `type` is that of a page, which may load and run things.
  static func isPage(_ type: String) -> Bool { type.utf8.starts(with: "text/html".utf8) }

  private static let unknown = "application/octet-stream"

  private static let byEnding: [String: String] = [
    "avif": "image/avif",
    "css": "text/css; charset=utf-8",
    "gif": "image/gif",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "mjs": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff2": "font/woff2",
    "xml": "application/xml",
  ]
}
