/// The kinds of one strip, numbered in the order of their first use.
///
/// When all 64 numbers are used, a new kind takes the number of a kind that no item has.
package struct KindTable: Sendable {
  package private(set) var names: [String]
  private var numbers: [String: Int]

  package init(names: [String] = []) {
    self.names = names
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }

  /// The number of this kind; a new kind gets the next number, or one that is free.
  ///
  /// - Parameter isFree: whether no item has the kind of this number; called only if all are used.
  /// - Throws: `.invalid` for a 65th kind.
  package mutating func number(
    of name: String, isFree: (Int) -> Bool = { _ in false }
  ) throws(CatalogueError) -> Int {
    if let number = numbers[name] { return number }
    if names.count < KindName.maximumCount {
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
    guard let free = names.indices.first(where: isFree) else {
      throw .invalid(
        "kind: \(name.quoted) would be kind \(KindName.maximumCount + 1) of the strip, which can "
          + "have \(KindName.maximumCount)")
    }
    numbers[names[free]] = nil
    numbers[name] = free
    names[free] = name
    return free
  }

  /// Whether this kind has a number or can get one.
  ///
  /// - Parameter isFree: as for `number(of:isFree:)`.
  package func hasRoom(for name: String, isFree: (Int) -> Bool) -> Bool {
    numbers[name] != nil || names.count < KindName.maximumCount
      || names.indices.contains(where: isFree)
  }
}

/// The names of a strip's kinds as UTF-8 in one buffer, by number: for writing JSON.
///
///     KindNames(["album", "heading"]).withUnsafeNames { names in names[1] }   // heading
///
/// The buffer has each name in the text that its items have in common.
package struct KindNames: Sendable {
  private let bytes: [UInt8]
  /// The start of the first kind's text, and the end of each.
  private let bounds: [Int]

  fileprivate static let (kind, slot, number): (StaticString, StaticString, StaticString) =
    (#","kind":""#, #"","slot":""#, "-")

  init(_ names: [String]) {
    var bytes: [UInt8] = []
    bounds =
      [0]
      + names.map { name in
        bytes += "\(Self.kind)\(name)\(Self.slot)\(name)\(Self.number)".utf8
        return bytes.count
      }
    self.bytes = bytes
  }

  /// Calls `body` with the names, which are valid only during the call.
  package func withUnsafeNames<Result, Failure: Error>(
    _ body: (Unsafe) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try bounds.withUnsafeBufferPointer { bounds throws(Failure) in
        try body(Unsafe(bytes: UnsafeRawBufferPointer(bytes), bounds: bounds))
      }
    }
  }

  package struct Unsafe {
    fileprivate let bytes: UnsafeRawBufferPointer
    fileprivate let bounds: UnsafeBufferPointer<Int>

    /// The name of the kind with this number.
    ///
    /// - Complexity: O(1).
    package subscript(number: Int) -> UnsafeRawBufferPointer {
      let text = kindAndSlot(of: number)
      let around =
        KindNames.kind.utf8CodeUnitCount + KindNames.slot.utf8CodeUnitCount
        + KindNames.number.utf8CodeUnitCount
      let start = KindNames.kind.utf8CodeUnitCount
      return UnsafeRawBufferPointer(rebasing: text[start..<start + (text.count - around) / 2])
    }

    /// The members `kind` and `slot` of an item, up to the number of the slot:
    /// `,"kind":"album","slot":"album-`.
    ///
    /// - Complexity: O(1).
    package func kindAndSlot(of number: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[bounds[number]..<bounds[number + 1]])
    }
  }
}
