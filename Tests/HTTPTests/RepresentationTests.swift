import HTTP
import Synchronization
import Testing

/// Encodes by dropping every second byte.
private struct Halving: ContentEncoder {
  func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? {
    bytes.indices.filter { $0 % 2 == 0 }.map { bytes[$0] }
  }
}

private final class CountingEncoder: ContentEncoder {
  let count = Atomic(0)

  func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? {
    count.wrappingAdd(1, ordering: .relaxed)
    return Halving().encode(bytes, in: coding)
  }
}

@Suite struct RepresentationTests {
  private let text = [UInt8](repeating: UInt8(ascii: "a"), count: 2000)
  private let plainText = HeaderTemplate("text/plain")

  private func answer(
    _ accepted: String?, _ representation: Representation, ifNoneMatch tag: String? = nil
  ) throws -> Response {
    var headers = accepted.map { [("Accept-Encoding", $0)] } ?? []
    if let tag { headers.append(("If-None-Match", tag)) }
    return try representation.response(to: Request(.get, "/", headers: headers))
  }

  @Test(
    arguments: [
      (nil, nil), ("", nil), ("gzip", "gzip"), ("GZIP", "gzip"), ("x-gzip", "gzip"),
      ("gzip, deflate, br, zstd", "gzip"), ("deflate, br", "br"),
      ("br;q=0.5, gzip;q=0.8", "gzip"), ("gzip;q=0.5, br", "br"),
      ("gzip;q=0.001", "gzip"), ("gzip;q=0", nil), ("*", "gzip"), ("*;q=0.5, gzip;q=0", "br"),
      ("identity, gzip;q=0.5", nil), ("identity;q=0, gzip", "gzip"), ("gzip ; q=1.000", "gzip"),
      ("br;q=1.5, gzip;q=0.5", "gzip"), ("gzip;q=1.000", "gzip"), ("gzip;q=1.", "gzip"),
      ("gzip;q=2", nil), ("gzip;q=0.1234", nil), ("gzip;q=0,5", nil), ("gzip;q=01", nil),
      ("gzip;q=1.001", nil), ("gzip;q=", nil),
      ("gzip;q=banana", nil), ("deflate", nil), (",, gzip ,", "gzip"),
    ] as [(String?, String?)])
  func `the weights in Accept-Encoding choose the coding`(accepted: String?, coding: String?) throws
  {
    let representation = Representation(text, plainText, encoder: Halving())
    let response = try answer(accepted, representation)
    #expect(response["Content-Encoding"] == coding)
    #expect(response.body.count == (coding == nil ? 2000 : 1000))
    #expect(response["Vary"] == "Accept-Encoding")
  }

  private func bestCoding(_ request: Request) -> ContentCoding? {
    request.head.acceptedCodings.best(of: ContentCoding.smallest)
  }

  @Test func `several Accept-Encoding headers are one list`() {
    let apart = Request(
      .get, "/",
      headers: [
        ("Accept-Encoding", "br;q=0.5"), ("X-Other", "identity"), ("accept-encoding", "gzip"),
      ])
    #expect(bestCoding(apart) == .gzip)
    let alone = Request(.get, "/", headers: [("Accept-Encoding", "br"), ("X-Other", "gzip")])
    #expect(bestCoding(alone) == .brotli)
    #expect(bestCoding(Request(.get, "/", headers: [("X-Other", "gzip")])) == .identity)
  }

  @Test(arguments: ["identity;q=0", "*;q=0", "gzip;q=0, br;q=0, identity;q=0"])
  func `a client that accepts no coding gets 406`(accepted: String) {
    let representation = Representation(text, plainText, encoder: Halving())
    let problem = #expect(throws: Problem.self) { try answer(accepted, representation) }
    #expect(problem?.status == 406)
  }

  @Test(arguments: ["", "gzip", "br"], [false, true])
  func `a 304 has the length of the 200`(_ accepted: String, _ isReused: Bool) throws {
    for hasBeenSent in [false, true] {
      let representation = Representation(text, plainText, encoder: Halving(), isReused: isReused)
      let first = try answer(
        accepted, hasBeenSent ? representation : Representation(text, plainText, encoder: Halving())
      )
      let response = try answer(accepted, representation, ifNoneMatch: first["ETag"])
      #expect(response.status == 304)
      #expect(response["ETag"] == first["ETag"])
      #expect(response["Vary"] == "Accept-Encoding")
      #expect(response.body.count == first.body.count)
    }
  }

  @Test func `a reused representation is compressed once for each coding`() throws {
    let encoder = CountingEncoder()
    let representation = Representation(text, plainText, encoder: encoder, isReused: true)
    for _ in 0..<2 {
      let tag = try #require(try answer("gzip", representation)["ETag"])
      #expect(try answer("gzip", representation, ifNoneMatch: tag).status == 304)
    }
    #expect(encoder.count.load(ordering: .relaxed) == 1)
  }

  @Test func `each coding has its own entity tag`() throws {
    let representation = Representation(text, plainText, encoder: Halving())
    let tags = try ["", "gzip", "br"].map {
      try #require(try answer($0, representation)["ETag"])
    }
    #expect(Set(tags).count == 3)
    #expect(try answer("gzip", representation, ifNoneMatch: tags[1]).status == 304)
    #expect(try answer("gzip", representation, ifNoneMatch: tags[0]).status == 200)
    #expect(try answer("br", representation, ifNoneMatch: tags[2])["ETag"] == tags[2])
  }

  @Test func `short bodies and images are not compressed and do not vary`() throws {
    let short = Representation(Array(text.prefix(1023)), plainText, encoder: Halving())
    let image = Representation(text, HeaderTemplate("image/png"), encoder: Halving())
    for representation in [short, image] {
      let response = try answer("gzip", representation)
      #expect(response["Content-Encoding"] == nil)
      #expect(response["Vary"] == nil)
    }
  }

  @Test func `a reused representation stores one prepared response for each coding`() throws {
    let representation = Representation(text, plainText, encoder: Halving(), isReused: true)
    let forms = try ["gzip", "gzip", "br"].map {
      try #require(try answer($0, representation).prepared)
    }
    #expect(forms[0] === forms[1])
    #expect(forms[0] !== forms[2])
  }

  @Test func `a reused representation prefers small codings, but not over the client's own`() throws
  {
    let all = "gzip, deflate, br, zstd"
    let first = try answer(all, Representation(text, plainText, encoder: Halving()))
    let reused = Representation(text, plainText, encoder: Halving(), isReused: true)
    #expect(first["Content-Encoding"] == "gzip")
    #expect(try answer(all, reused)["Content-Encoding"] == "br")
    let revalidated = try answer(all, reused, ifNoneMatch: first["ETag"])
    #expect(revalidated.status == 304)
    #expect(revalidated["ETag"] == first["ETag"])
  }
}
