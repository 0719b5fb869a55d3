/// The texts of a dictionary that items still have, with codes of their own.
///
/// - Complexity: O(codes + texts) to count them; O(bytes of the texts) to number them.
struct LiveStrings {
  let texts: StringTable
  /// The new code of each code; empty if all texts are live.
  private let codes: [UInt32]

  init(of texts: StringTable, in pieces: [CodeArray]) {
    self.init(texts, LiveCodes(count: texts.count, in: pieces))
  }

  /// The live texts if more texts are dead; otherwise nil.
  init?(ofMostlyDead dictionary: ValueDictionary, in pieces: [CodeArray]) {
    guard dictionary.mayBeMostlyDead else { return nil }
    let texts = dictionary.snapshot
    let live = LiveCodes(count: texts.count, in: pieces)
    guard texts.count > 2 * live.count else {
      dictionary.setLiveCount(live.count)
      return nil
    }
    self.init(texts, live)
  }

  private init(_ texts: StringTable, _ live: LiveCodes) {
    guard live.count < texts.count else {
      (self.texts, codes) = (texts, [])
      return
    }
    var kept = StringTable()
    codes = live.isLive.indices.map { code in
      guard code > 0, live.isLive[code] else { return 0 }
      return texts.withText(UInt32(code)) { kept.code(of: $0) }
    }
    self.texts = kept
  }

  func renumbered(_ piece: CodeArray) -> CodeArray {
    codes.isEmpty ? piece : CodeArray((0..<piece.count).map { codes[Int(piece[$0])] })
  }
}

/// The codes that items use.
private struct LiveCodes: CodeLoop {
  /// True for code 0, which stands for an absent value.
  private(set) var isLive: [Bool]

  var count: Int { isLive.count { $0 } }

  init(count: Int, in pieces: [CodeArray]) {
    isLive = Array(repeating: false, count: count)
    isLive[0] = true
    for piece in pieces { piece.read(&self) }
  }

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    for code in codes { isLive[Int(code)] = true }
  }
}
