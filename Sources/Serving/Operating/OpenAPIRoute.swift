import FoundationEssentials
import HTTP

extension App {
  /// `GET /openapi.json`: the OpenAPI description.
  func openAPI(_ request: Request) throws(Problem) -> Response {
    guard let file = openAPIFile else { throw .notFound("The file openapi.json is missing.") }
    return try ReadContext(app: self)
      .response(try file.bytes(version: version), isPinned: false, to: request)
  }
}

/// The OpenAPI description from `Public/openapi.json`. The program's version replaces
/// `{{version}}`.
package struct OpenAPIFile: Sendable {
  private let text: String?

  /// Reads the file at `path` once. The response is 404 if there is none.
  package init(path: String) {
    text = try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// - Throws: 404 if there is no such file.
  func bytes(version: String) throws(Problem) -> [UInt8] {
    guard let text else {
      throw .notFound("The interface is not described: openapi.json is not in the folder of files.")
    }
    return Array(text.replacing("{{version}}", with: version).utf8)
  }
}
