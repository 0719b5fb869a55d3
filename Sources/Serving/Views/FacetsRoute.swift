import HTTP
import Items
import Views

/// The parameters of `GET /strips/{strip}/facets`.
package struct FacetsQuery: Hashable, Sendable {
  /// Identifies the response: equal keys have equal facets.
  package struct Key: Hashable {
    let strip: String
    let revision: Int64
    let query: FacetsQuery
  }

  let view: ViewQuery
  let fields: [FieldName]
  /// The unit by which dates are counted; nil to count each text of a date.
  let unit: DateUnit?
  let limit: Int
  /// Counts only values that have, for each word of this text, a word that begins with it. Nil for all values.
  let valueSearch: String?

  init(_ parameters: Parameters) throws(Problem) {
    view = try parameters.view()
    limit = Int(try parameters.integer("limit", in: 0...1000) ?? 20)
    unit = try parameters.choice("by")
    valueSearch = parameters.text("facetQuery")
    guard (valueSearch ?? "").utf8.count <= Search.maximumSize else {
      throw .parameter("facetQuery", "has more than \(Search.maximumSize) bytes")
    }
    guard let text = parameters.text("field") else {
      throw .parameter("field", "is required: one or more field names, separated by commas")
    }
    do throws(CatalogueError) {
      fields = try SortField.names(of: text)
    } catch {
      throw .badParameter("field", error.description.replacing("sort:", with: "field:"))
    }
  }

  /// - Throws: 400 for `id`, and for a field that the strip does not declare.
  func check(_ settings: StripSettings) throws(Problem) {
    guard !fields.contains("id") else { throw .parameter("field", "cannot name id") }
    for field in fields where !(FieldName.members + settings.filterable).contains(field) {
      throw .parameter("field", "names \(field.text), which is not filterable")
    }
  }

  func key(of base: Snapshot) -> Key {
    Key(strip: base.name, revision: base.revision, query: self)
  }
}

extension App {
  /// `GET /strips/{strip}/facets`: the values of fields, and the number of items with each value.
  func facets(_ context: ReadContext) throws(Problem) -> Outcome {
    let parameters = try Parameters(
      context.request,
      known: ["by", "facetQuery", "field", "limit", "revision", "v"] + ViewQuery.names)
    let query = try FacetsQuery(parameters)
    let revision = try parameters.revision()
    return try context.withSnapshot(of: context.path["strip"], at: revision) {
      snapshot, context throws(Problem) in
      guard let facets = try context.facets(query, of: snapshot) else {
        return .suspended(on: .view(PendingView(query, of: snapshot)))
      }
      var json = JSONWriter()
      json.start(of: snapshot, view: facets.query.isEmpty ? nil : facets.query)
      json.member("count", facets.count)
      json.list("facets", facets.facets) { json, facet in json.facet(facet) }
      json.literal("}")
      return try context.response(json.bytes)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func facet(_ facet: Facet) {
    literal("{")
    member("field", facet.field.text)
    list("values", facet.values) { json, value in
      json.literal("{")
      json.member("value", value.text)
      json.member("count", value.count)
      json.literal("}")
    }
    member("distinct", facet.distinct)
    member("absent", facet.absent)
    if let numbers = facet.numbers {
      key("min")
      json(numbers.least.utf8)
      key("max")
      json(numbers.greatest.utf8)
    }
    literal("}")
  }
}
