import FoundationEssentials
import HTTP

/// The description of the interface, in OpenAPI's terms: `Public/openapi.json`, in which
/// `{{version}}` stands for the program's version, so that there is one place that says it.
package struct InterfaceFile: Sendable {
  private let text: String?

  /// The file at `path`, read once; answered with 404 where there is none.
  package init(path: String) {
    text = try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// The description, of the program `version`.
  ///
  /// - Throws: 404 where there is no such file.
  func bytes(version: String) throws(Problem) -> [UInt8] {
    guard let text else {
      throw .notFound("The interface is not described: openapi.json is not in the folder of files.")
    }
    return Array(text.replacing("{{version}}", with: version).utf8)
  }
}

extension App {
  /// `GET /openapi.json`.
  func interface(_ request: Request, _ path: PathValues) throws(Problem) -> Response {
    guard let file = interfaceFile else { throw .notFound("The interface is not described.") }
    return try reading(try file.bytes(version: version), isPinned: false, to: request)
  }
}
