import HTTP
import Testing

@Suite struct EntityTagTests {
  private func lists(_ value: String, _ tag: EntityTag) -> Bool {
    Request(.get, "/", headers: [("If-None-Match", value)]).ifNoneMatchLists(tag)
  }

  @Test func `If-None-Match is a list of strong and weak tags, or a star`() {
    let tag = EntityTag("a,b")
    #expect(lists(#""a,b""#, tag))
    #expect(lists(#""x", W/"a,b" ,"y""#, tag))
    #expect(lists("*", tag))
    #expect(!lists(#""a", "b""#, tag))
    #expect(!lists("a,b", tag))
    #expect(!lists(#""a,b"#, tag))
    #expect(!lists("", tag))
  }

  @Test func `several If-None-Match headers are one list`() {
    let request = Request(
      .get, "/", headers: [("If-None-Match", #""a""#), ("If-None-Match", #""b""#)])
    #expect(request.ifNoneMatchLists(EntityTag("b")))
    let apart = Request(
      .get, "/",
      headers: [
        ("If-None-Match", #""a""#), ("X-Other", #""c""#), ("If-None-Match", #""b""#),
        ("X-Last", #""d""#),
      ])
    #expect(apart.ifNoneMatchLists(EntityTag("a")) && apart.ifNoneMatchLists(EntityTag("b")))
    #expect(!apart.ifNoneMatchLists(EntityTag("c")) && !apart.ifNoneMatchLists(EntityTag("d")))
  }

  @Test func `a matching tag gives 304 with the same headers`() {
    let tag = EntityTag("a")
    let response = Response(
      "text/plain", [1], fields: [Field("Cache-Control", "no-cache"), Field("ETag", tag.value)])
    let request = Request(.get, "/", headers: [("If-None-Match", #""a""#)])
    let unchanged = response.conditional(on: request, tag)
    #expect(unchanged.status == 304)
    #expect(unchanged["ETag"] == #""a""#)
    #expect(unchanged["Cache-Control"] == "no-cache")
    #expect(response.conditional(on: Request(.get, "/"), tag).status == 200)
    var gone = response
    gone.status = 410
    #expect(gone.conditional(on: request, tag).status == 410)
  }

  @Test func `different bytes have different tags, and the hash is the same in every version`() {
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
    for bytes in Set(contents) { #expect(tags.insert(EntityTag(Fingerprint(bytes))).inserted) }
    #expect(
      EntityTag(Fingerprint(Array("carousel".utf8))).value == "\"91389f4193796e8dc176c53b3453f965\""
    )
    #expect(EntityTag(Fingerprint([1]), in: .gzip) != EntityTag(Fingerprint([1])))
  }
}
