import Catalogue
import Cryptography
import Dispatch
import HTTP
import Items
import Serving
import Synchronization
import Testing
import Views
import Windowing

struct TokenTests {
  private let store = OneToken()

  private func authorizer() -> ReadAuthorizer {
    ReadAuthorizer(verifier: store, tokens: TokenCache())
  }

  private func request(_ token: String, _ target: String = "/window") -> Request {
    Request(.get, target, headers: [("Authorization", "Bearer \(token)")])
  }

  private func app() throws -> App {
    App(
      catalogue: try catalogue([Item(id: "a", width: .px(9))]), files: nil,
      pages: PageFile(path: ""), tokenVerifier: store)
  }

  private func get(_ app: App, _ token: String) -> Int {
    app.response(to: request(token)).status
  }

  @Test func `the store is asked about a token once a second`() throws {
    let authorizer = authorizer()
    let start = ContinuousClock.now
    func check(after time: Duration) throws -> ReadAuthorizer.Check {
      try authorizer.check(request("good"), at: start + time)
    }
    guard case .unverified(let token, let wasValid) = try check(after: .zero) else {
      Issue.record("A new token is not verified.")
      return
    }
    #expect(!wasValid)
    #expect(try authorizer.principal(of: token, at: start).strip == "strip")
    store.isRevoked.store(true, ordering: .relaxed)
    guard case .principal(let principal) = try check(after: .milliseconds(999)) else {
      Issue.record("A token is valid for a second.")
      return
    }
    #expect(principal.strip == "strip")
    guard case .unverified(_, wasValid: true) = try check(after: .seconds(1)) else {
      Issue.record("A token is verified after a second.")
      return
    }
    #expect(throws: Problem.self) { try authorizer.principal(of: token, at: start + .seconds(1)) }
    // A rejection is cached for the same time.
    #expect(throws: Problem.self) { try check(after: .milliseconds(1999)) }
    #expect(store.questions.load(ordering: .relaxed) == 2)
    guard case .unverified = try check(after: .seconds(2)) else {
      Issue.record("A rejection is not final.")
      return
    }
  }

  @Test func `a wrong token is rejected without the store the second time`() throws {
    let app = try app()
    for _ in 0..<9 { #expect(get(app, "wrong") == 401) }
    #expect(store.questions.load(ordering: .relaxed) < 9)
  }

  @Test func `the tokens of all event streams are verified at once`() throws {
    let app = try app()
    let tokens = (0..<100).map { Digest(of: Array("good\($0)".utf8)) }
    func age() {
      for token in tokens {
        app.tokens.recordValid(
          token, TokenGrant(strip: "strip", scope: .reads), at: .now - .seconds(2))
      }
    }
    for number in 0..<100 {
      let response = app.response(to: request("good\(number)", "/events?strips=strip"))
      #expect(response.status == 200)
    }
    #expect(app.feed.count == 100)
    let before = store.questions.load(ordering: .relaxed)
    age()
    app.feed.sendAll()
    #expect(app.feed.count == 100)
    // The timer of the streams may verify them at the same time.
    #expect(store.questions.load(ordering: .relaxed) - before <= 2)
    store.isRevoked.store(true, ordering: .relaxed)
    age()
    app.feed.sendAll()
    #expect(app.feed.count == 0)
    #expect(store.questions.load(ordering: .relaxed) - before <= 4)
  }

  @Test func `a flood of wrong tokens does not shut out a right one`() throws {
    let app = try app()
    #expect(get(app, "good") == 200)
    // The store is slow, and 400 wrong tokens wait.
    store.holdWrong()
    let wrong = (0..<400).map { PendingResponse(app, request("wrong\($0)")) }
    #expect(wrong.allSatisfy { $0.isDeferred })
    // After a second the valid token must be verified again. It has priority over the wrong tokens.
    app.tokens.recordValid(
      Digest(of: Array("good".utf8)), TokenGrant(strip: "strip", scope: .changes),
      at: .now - .seconds(2))
    #expect(get(app, "good") == 200)
    store.releaseWrong()
    for answer in wrong { _ = answer.wait() }
  }
}

/// A token store whose tokens begin with `good`, for the strip `strip`. A test can revoke it.
private final class OneToken: TokenVerifier {
  let isRevoked = Atomic(false)
  let questions = Atomic(0)
  private let isHolding = Atomic(false)
  private let gate = DispatchSemaphore(value: 0)

  /// From now on, the answer to a wrong token waits.
  func holdWrong() { isHolding.store(true, ordering: .relaxed) }

  func releaseWrong() {
    isHolding.store(false, ordering: .relaxed)
    gate.signal()
  }

  func grants(of secrets: [[UInt8]]) -> [TokenGrant?] {
    questions.add(1, ordering: .relaxed)
    return secrets.map(answer)
  }

  private func answer(to secret: [UInt8]) -> TokenGrant? {
    if secret.starts(with: "good".utf8) {
      return isRevoked.load(ordering: .relaxed) ? nil : TokenGrant(strip: "strip", scope: .reads)
    }
    if isHolding.load(ordering: .relaxed) {
      gate.wait()
      gate.signal()
    }
    return nil
  }
}
