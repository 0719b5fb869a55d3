import Items

/// The codes of a field or of words. Snapshots share columns that no edit touches. Of an edited column they share the
/// segments that the edit does not touch.
package final class DictionaryEncodedColumn: Sendable {
  enum Content: Hashable, Sendable {
    /// One code for each item, 0 for absent.
    case values(of: FieldName)
    /// The codes of all words of these fields, in this order. A 0 stands before each field but the first. Zeros after the
    /// last word are left out.
    case words(of: [FieldName])
  }

  let content: Content
  package let dictionary: ValueDictionary
  package let segments: [ColumnSegment]
  /// The memory of the array of segments.
  let memory: MemoryReservation

  init(
    _ content: Content, _ dictionary: ValueDictionary, _ segments: [ColumnSegment],
    of budget: MemoryBudget
  ) {
    (self.content, self.dictionary, self.segments) = (content, dictionary, segments)
    memory = MemoryReservation(150 + 8 * segments.capacity, of: budget)
  }

  @inline(__always)
  func code(at location: (segment: Int, index: Int)) -> UInt32 {
    segments[location.segment].codes[location.index]
  }
}
