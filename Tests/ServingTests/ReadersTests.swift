import Items
import Synchronization
import Testing

@testable import Serving

struct ReadersTests {
  private let admission = OneToken()

  @Test func asksTheStoreOfATokenOnceASecond() throws {
    let readers = Readers(admission)
    let start = ContinuousClock.now
    func strip(after time: Duration, _ patience: Patience) throws -> String? {
      try readers.strip(readBy: Array("good".utf8), patience, at: start + time)
    }
    #expect(throws: CatalogueError.notAtHand) { try strip(after: .zero, .none) }
    #expect(try strip(after: .zero, .waits) == "s")
    admission.isRevoked.store(true, ordering: .relaxed)
    #expect(try strip(after: .milliseconds(999), .none) == "s")
    #expect(throws: CatalogueError.notAtHand) { try strip(after: .seconds(1), .none) }
    #expect(try strip(after: .seconds(1), .waits) == nil)
    // What is no token is asked for each time.
    #expect(throws: CatalogueError.notAtHand) { try strip(after: .seconds(1), .none) }
    #expect(admission.questions.load(ordering: .relaxed) == 2)
  }
}

/// Knows the token `good` of the strip `s`, until it is revoked.
private final class OneToken: Admission {
  let isRevoked = Atomic(false)
  let questions = Atomic(0)

  func strip(readBy secret: [UInt8]) -> String? {
    questions.add(1, ordering: .relaxed)
    return secret.elementsEqual("good".utf8) && !isRevoked.load(ordering: .relaxed) ? "s" : nil
  }
}
