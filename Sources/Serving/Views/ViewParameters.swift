import Catalogue
import HTTP

extension Parameters {
  /// The parameters of a view.
  ///
  /// - Throws: 400 that names the parameter.
  func view() throws(Problem) -> ViewQuery {
    var query = ViewQuery()
    for (name, parameter) in zip(KnownNames.view.names, ViewQuery.Parameter.allCases) {
      guard let text = text(name) else { continue }
      do throws(CatalogueError) {
        try query.set(parameter, to: text)
      } catch {
        throw .badParameter(parameter.rawValue, error.description)
      }
    }
    return query
  }
}

extension JSONWriter {
  /// Starts an object with the members `strip`, `revision`, and `view` if there is one.
  mutating func start(of edition: Edition, view: ViewQuery?) {
    literal(#"{"strip":"#)
    string(edition.name)
    literal(#","revision":"#)
    integer(Int(edition.revision))
    self.view(view)
  }

  /// Writes a comma and the member `view`. Writes nothing if `query` is nil.
  mutating func view(_ query: ViewQuery?) {
    guard let query else { return }
    literal(#","view":{"#)
    list(query.parameters) { json, entry in
      json.string(entry.parameter.rawValue)
      json.literal(":")
      json.string(entry.text)
    }
    literal("}")
  }
}
