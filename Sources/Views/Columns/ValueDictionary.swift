import Foundation
package import Items
import Synchronization

/// A dictionary encoding of the texts of one field. The code of a text is its number in order of first use.
///
///     let dictionary = ValueDictionary()
///     dictionary.code(of: "Blue")   // 1
///     dictionary.code(of: "Blue")   // 1
///
/// Code 0 stands for an absent value. Codes are never removed, so all snapshots of a strip can share a dictionary. When
/// edits have replaced most texts, the columns of the next snapshot get a new dictionary: see `LiveStrings`.
///
/// - Complexity: O(length) for each function unless stated otherwise. A text takes its bytes plus 48 to 80.
package final class ValueDictionary: Sendable {
  private let texts: Mutex<StringTable>
  /// The number of live texts when they were last counted.
  fileprivate let liveCount: Atomic<Int>
  private let memory: MemoryReservation

  package convenience init(_ texts: StringTable = StringTable(), of budget: MemoryBudget) {
    self.init(texts, memory: MemoryReservation(0, of: budget))
  }

  /// - Parameters:
  ///   - texts: all of them are live.
  ///   - memory: the reservation of the texts.
  init(_ texts: StringTable, memory: MemoryReservation) {
    liveCount = Atomic(texts.count)
    self.texts = Mutex(texts)
    self.memory = memory
    memory.resize(to: texts.cost)
  }

  /// The texts. Copies share memory until a text is added.
  package var snapshot: StringTable { texts.withLock { $0 } }

  /// Calls `body` while no other thread adds texts.
  func withTexts<Value>(_ body: (StringTable) -> Value) -> Value {
    texts.withLock { body($0) }
  }

  /// `StringTable.ranks` of a copy, so that no other thread waits. The dictionary caches them.
  package var ranks: [UInt32] {
    let texts = snapshot
    if let known = texts.sorted { return known }
    // A date takes 24 bytes while it is sorted, and its rank four.
    let temporary = MemoryReservation(28 * texts.count, of: memory.budget)
    memory.budget.evict()
    defer { withExtendedLifetime(temporary) {} }
    let ranks = texts.ranks(of: 0..<UInt32(texts.count))
    self.texts.withLock {
      guard $0.count == ranks.count else { return }
      $0.store(ranks)
      memory.resize(to: $0.cost)
    }
    return ranks
  }

  /// Ranks that are valid for `codes`. After an edit has added a text, a small view sorts only its own values.
  func ranks(of codes: [UInt32]) -> [UInt32] {
    let texts = snapshot
    guard texts.sorted == nil, codes.count < texts.count / 16 else { return ranks }
    return texts.ranks(of: Set(codes))
  }

  package func code(of text: [UInt8]) -> UInt32 {
    text.withUnsafeBytes { text in
      texts.withLock { texts in
        let count = texts.count
        let code = texts.code(of: text)
        if texts.count > count { memory.resize(to: texts.cost) }
        return code
      }
    }
  }
}

// MARK: - Dead texts

/// The texts of a dictionary that items still have, with codes of their own.
///
/// - Complexity: O(codes + texts) to count them; O(bytes of the texts) to number them.
struct LiveStrings {
  let texts: StringTable
  /// The new code of each code.
  private let codes: [UInt32]

  /// The live texts if more texts are dead; otherwise nil.
  init?(ofMostlyDead dictionary: ValueDictionary, in segments: [PackedIntegers]) {
    // A count reads the codes of all items, so it waits for a thousand new texts.
    let known = dictionary.liveCount.load(ordering: .relaxed)
    guard dictionary.withTexts(\.count) > 2 * known + 1000 else { return nil }
    let texts = dictionary.snapshot
    let live = LiveCodeVisitor(count: texts.count, in: segments)
    dictionary.liveCount.store(live.count, ordering: .relaxed)
    guard texts.count > 2 * live.count else { return nil }
    var kept = StringTable()
    codes = live.isLive.indices.map { code in
      guard code > 0, live.isLive[code] else { return 0 }
      return texts.withText(UInt32(code)) { kept.code(of: $0) }
    }
    self.texts = kept
  }

  func renumbered(_ segment: PackedIntegers) -> PackedIntegers {
    PackedIntegers((0..<segment.count).map { codes[Int(segment[$0])] })
  }
}

/// The codes that items use.
private struct LiveCodeVisitor: CodeVisitor {
  /// True for code 0, which stands for an absent value.
  private(set) var isLive: [Bool]

  var count: Int { isLive.count { $0 } }

  init(count: Int, in segments: [PackedIntegers]) {
    isLive = Array(repeating: false, count: count)
    isLive[0] = true
    for segment in segments { segment.visit(&self) }
  }

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    for code in codes { isLive[Int(code)] = true }
  }
}
