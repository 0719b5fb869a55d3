import Catalogue
import Synchronization
import Testing

@testable import Serving

struct ReadersTests {
  private let admission = OneToken()

  @Test func asksTheStoreOfATokenOnceASecond() throws {
    let readers = ReadAuthorizer(admission)
    let start = ContinuousClock.now
    func strip(after time: Duration, _ mode: ReadMode) throws -> String? {
      try readers.strip(readBy: Array("good".utf8), mode, at: start + time)
    }
    #expect(throws: CatalogueError.wouldBlock) { try strip(after: .zero, .cachedOnly) }
    #expect(try strip(after: .zero, .mayBlock) == "s")
    admission.isRevoked.store(true, ordering: .relaxed)
    #expect(try strip(after: .milliseconds(999), .cachedOnly) == "s")
    #expect(throws: CatalogueError.wouldBlock) { try strip(after: .seconds(1), .cachedOnly) }
    #expect(try strip(after: .seconds(1), .mayBlock) == nil)
    // What is no token is asked for each time.
    #expect(throws: CatalogueError.wouldBlock) { try strip(after: .seconds(1), .cachedOnly) }
    #expect(admission.questions.load(ordering: .relaxed) == 2)
  }
}

/// Knows the token `good` of the strip `s`, until it is revoked.
private final class OneToken: TokenVerifier {
  let isRevoked = Atomic(false)
  let questions = Atomic(0)

  func strip(readBy secret: [UInt8]) -> String? {
    questions.add(1, ordering: .relaxed)
    return secret.elementsEqual("good".utf8) && !isRevoked.load(ordering: .relaxed) ? "s" : nil
  }
}
