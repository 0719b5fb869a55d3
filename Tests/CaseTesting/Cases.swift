import Foundation

/// The content of `Tests/Cases/NAME.json`: cases of a rule that Swift and JavaScript both implement. `Tests/Client` runs
/// them too.
package func cases<Content: Decodable>(_ name: String, as: Content.Type = Content.self) -> Content {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Cases/\(name).json")
  do {
    return try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
  } catch {
    preconditionFailure("\(file.path) cannot be read: \(error)")
  }
}
