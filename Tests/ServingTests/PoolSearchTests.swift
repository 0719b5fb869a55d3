import Catalogue
import Dispatch
import HTTP
import Synchronization
import Testing
import Windowing

@testable import Serving

@Suite("Pools never asked for before")
struct PoolSearchTests {
  /// The window of a strip long enough that its pools are searched for elsewhere.
  @Test("are found elsewhere in a long strip, and known from then on")
  func longStrip() async throws {
    let strip = Strip(
      kinds: ["card"],
      items: (0..<60_000).map {
        StripItem(
          size: ItemSize(aspect: .zero, width: .px(40 + $0 % 7)), kind: Kind(number: 0))
      })
    let edition = Edition(
      name: "long", settings: StripSettings(title: "long"), revision: 7, strip: strip,
      source: Numbered())
    let site = try ServingTests.site(MemoryCatalogue([edition]))
    let request = Request(.get, "/window?width=500")
    guard case .deferred(let start) = site.answer(request) else {
      Issue.record("The search ran on the thread that asked.")
      return
    }
    let response = await withCheckedContinuation { done in
      start(Responder { done.resume(returning: $0) })
    }
    #expect(response.status == 200)
    #expect(
      response.json["pools"] as? [String: Int]
        == ["card": site.pools(of: edition, stretch: .px(500))])
    guard case .response = site.answer(request) else {
      Issue.record("The pools were searched for again.")
      return
    }
  }

  @Test("are refused with 503 where too many are asked for at once")
  func flood() throws {
    let searches = PoolSearches()
    let gate = DispatchSemaphore(value: 0)
    let owner = SharedPools()
    func ask(_ number: Int) throws {
      try searches.run(
        .init(
          pools: ObjectIdentifier(owner), stretch: .px(number), height: .px(180), wraps: false)
      ) {
        gate.wait()
      } then: {
        gate.signal()
      }
    }
    for number in 0..<16 { try ask(number) }
    // Who asks for what is being searched for already waits with the others.
    try ask(3)
    let problem = #expect(throws: Problem.self) { try ask(16) }
    #expect(problem?.status == 503)
    #expect(problem?.response["Retry-After"] != nil)
    gate.signal()
  }
}

extension App {
  fileprivate func pools(of edition: Edition, stretch: Length) -> Int {
    edition.layout().pools(stretch: stretch)[Kind(number: 0)]
  }
}

/// Items that say nothing but their number.
private struct Numbered: ItemSource {
  func contents(of range: Range<Int>) -> [ItemContent] {
    range.map { ItemContent(id: "\($0)", fields: Fields()) }
  }

  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    var items: [Item] = []
    for index in range { items.append(try Item(id: "\(index)")) }
    return items
  }

  func index(of id: String) -> Int? { Int(id) }
}
