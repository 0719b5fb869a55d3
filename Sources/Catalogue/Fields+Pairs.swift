extension Fields {
  /// Names and values, in order.
  ///
  /// - Complexity: one pass over the bytes.
  package var pairs: [(name: String, value: Value)] {
    var pairs: [(name: String, value: Value)] = []
    read { name, value in
      pairs.append((name, value))
      return true
    }
    return pairs
  }

  /// The value of this name, or nil.
  ///
  /// - Complexity: O(bytes before it): an item has few fields, and nothing is kept to look them up.
  package subscript(name: String) -> Value? {
    var found: Value?
    read { candidate, value in
      guard candidate.utf8.elementsEqual(name.utf8) else { return true }
      found = value
      return false
    }
    return found
  }

  /// Calls `body` with each name and value until it says false.
  private func read(_ body: (String, Value) -> Bool) {
    do {
      var scanner = try JSONScanner(json)
      try scanner.members { scanner, name throws(CatalogueError) in
        guard body(name, try Value(&scanner, name: name)) else { throw .interrupted }
      }
    } catch {
      // `json` was read once, when it was made: what ends the reading here is `body`.
    }
  }
}
