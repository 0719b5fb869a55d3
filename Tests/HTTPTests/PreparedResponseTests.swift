import Testing

@testable import HTTP

@Suite struct KeptFormTests {
  private let response = Response("text/plain", [1], fields: CrossOrigin().fieldsForAnyone)

  @Test func `A kept response gives its form up when it is changed, but not for another status`() {
    let kept = response.kept()
    var other = kept
    other.status = 304
    #expect(other.form === kept.form)
    other.fields.append(Field("X", "y"))
    #expect(other.form == nil)
    other = kept
    other.body = .empty
    #expect(other.form == nil)
    #expect(kept.form != nil)
  }

  @Test func `One that says already who may read it is left as it is`() {
    let kept = response.kept()
    guard
      case .response(let answered) = CrossOrigin().answer(
        Request(.get, "/", headers: [("Origin", "https://a.example")]),
        by: { _ in .response(kept) })
    else { preconditionFailure("This handler answers at once.") }
    #expect(answered.form === kept.form)
    guard
      case .response(let narrowed) = CrossOrigin(.only(["https://a.example"])).answer(
        Request(.get, "/"), by: { _ in .response(kept) })
    else { preconditionFailure("This handler answers at once.") }
    #expect(narrowed.form == nil)
  }
}
