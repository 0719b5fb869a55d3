enum MediaType {
  static func of(fileNamed name: Bytes) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
    return byExtension[name[(dot + 1)...].text.lowercased()] ?? unknown
  }

  /// Whether `type` is text, which compresses well. Images and fonts are compressed already.
  static func isText(_ type: String) -> Bool {
    isXML(type)
      || ["text/", "application/json", "application/manifest"].contains(where: type.hasPrefix)
  }

  static func isHTML(_ type: String) -> Bool { type.hasPrefix("text/html") }

  /// Whether `type` is XML, such as SVG. It can contain scripts.
  static func isXML(_ type: String) -> Bool {
    type.hasPrefix("image/svg") || type.hasPrefix("application/xml")
  }

  private static let unknown = "application/octet-stream"

  private static let byExtension: [String: String] = [
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
