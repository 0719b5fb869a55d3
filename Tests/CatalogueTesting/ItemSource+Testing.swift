package import Catalogue
package import Items
package import Views

extension StripCatalogue {
  package func names(after: String?, limit: Int) throws(CatalogueError) -> [String] {
    try summaries(after: after, limit: limit).map(\.name)
  }
}

extension ItemSource {
  /// Id and fields of the items in `range`, in order.
  package func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent] {
    var contents: [ItemContent] = []
    try read(range) { item in
      contents.append(
        ItemContent(
          id: String(decoding: item.id, as: UTF8.self),
          fields: Fields(stored: Array(item.fields)) ?? Fields()))
    }
    return contents
  }
}
