/// The strips that a store has before an import: what a rehearsal looks at, and never changes.
package protocol ExistingStrips: Sendable {
  /// By what number the store knows the strip of this name; nil where there is none.
  func number(of name: String) throws(CatalogueError) -> Int64?

  /// Whether the strip of this number has an item of this id.
  ///
  /// - Complexity: one look-up.
  func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool

  /// The names of the kinds of the strip of this number, by number; items may have them or not.
  func kinds(of strip: Int64) throws(CatalogueError) -> [String]

  /// Whether the strip of this number has an item of a kind.
  ///
  /// - Complexity: O(*n*) where it has none.
  func has(kind: Int, in strip: Int64) throws(CatalogueError) -> Bool
}
