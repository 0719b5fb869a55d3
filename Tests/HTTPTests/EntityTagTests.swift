import Testing

@testable import HTTP

@Suite struct EntityTagTests {
  private func holds(_ value: String, _ tag: EntityTag) -> Bool {
    Request(.get, "/", headers: [("If-None-Match", value)]).holds(tag)
  }

  @Test func `A list, a weak tag and a star are understood`() {
    let tag = EntityTag("a,b")
    #expect(holds(#""a,b""#, tag))
    #expect(holds(#""x", W/"a,b" ,"y""#, tag))
    #expect(holds("*", tag))
    #expect(!holds(#""a", "b""#, tag))
    #expect(!holds("a,b", tag))
    #expect(!holds(#""a,b"#, tag))
    #expect(!holds("", tag))
  }

  @Test func `Several headers are one list`() {
    let request = Request(
      .get, "/", headers: [("If-None-Match", #""a""#), ("If-None-Match", #""b""#)])
    #expect(request.holds(EntityTag("b")))
    let apart = Request(
      .get, "/",
      headers: [
        ("If-None-Match", #""a""#), ("X-Other", #""c""#), ("If-None-Match", #""b""#),
        ("X-Last", #""d""#),
      ])
    #expect(apart.holds(EntityTag("a")) && apart.holds(EntityTag("b")))
    #expect(!apart.holds(EntityTag("c")) && !apart.holds(EntityTag("d")))
  }

  @Test func `What a client holds is answered 304 with the same headers`() {
    let tag = EntityTag("a")
    let response = Response("text/plain", [1], fields: [Field("Cache-Control", "no-cache")])
      .tagged(tag)
    let request = Request(.get, "/", headers: [("If-None-Match", #""a""#)])
    let unchanged = response.unlessHeld(by: request, tag)
    #expect(unchanged.status == 304)
    #expect(unchanged["ETag"] == #""a""#)
    #expect(unchanged["Cache-Control"] == "no-cache")
    #expect(response.unlessHeld(by: Request(.get, "/"), tag).status == 200)
    var gone = response
    gone.status = 410
    #expect(gone.unlessHeld(by: request, tag).status == 410)
  }

  @Test func `Different bytes have different tags, and the same bytes the same for ever`() {
    var tags: Set<EntityTag> = []
    let contents =
      (0..<64).map { [UInt8](repeating: 0, count: $0) }
      + (0..<64).flatMap { bit in
        [8, 9, 17].map { count in
          var bytes = [UInt8](repeating: 0xA5, count: count)
          bytes[bit % count] ^= 1 << (bit / count % 8)
          return bytes
        }
      }
    for bytes in Set(contents) { #expect(tags.insert(EntityTag(hashing: bytes)).inserted) }
    #expect(
      EntityTag(hashing: Array("carousel".utf8)).value == "\"91389f4193796e8dc176c53b3453f965\"")
    #expect(EntityTag(hashing: [1], coding: "gzip") != EntityTag(hashing: [1]))
  }
}
