/// The names of a strip's kinds as bytes of UTF-8, one behind the other, by the kinds' numbers.
///
///     KindNames(["album", "heading"]).lend { names in names[1] }   // heading
package struct KindNames: Sendable {
  private let bytes: [UInt8]
  /// Where the first name begins, and where each ends.
  private let bounds: [Int]

  init(_ names: [String]) {
    var bytes: [UInt8] = []
    bounds =
      [0]
      + names.map { name in
        bytes += name.utf8
        return bytes.count
      }
    self.bytes = bytes
  }

  /// The names in memory that lasts as long as `take` is called with them: looking one up costs no
  /// more than a sum.
  package func lend<Result, Failure: Error>(
    _ take: (Lent) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try bounds.withUnsafeBufferPointer { bounds throws(Failure) in
        try take(Lent(bytes: UnsafeRawBufferPointer(bytes), bounds: bounds))
      }
    }
  }

  package struct Lent {
    fileprivate let bytes: UnsafeRawBufferPointer
    fileprivate let bounds: UnsafeBufferPointer<Int>

    /// The name of the kind of this number.
    package subscript(number: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[bounds[number]..<bounds[number + 1]])
    }
  }
}
