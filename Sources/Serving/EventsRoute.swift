import Catalogue
import HTTP
import Items

extension App {
  /// `GET /events`: the new revisions of the named strips, as server-sent events.
  func events(_ context: ReadContext) throws(Problem) -> Outcome {
    let parameters = try Parameters(context.request, known: ["strips", "v"])
    guard let list = parameters.text("strips") else {
      throw .parameter("strips", "must name the strips to listen to: a,b")
    }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= Limits.strips else {
      throw .parameter("strips", "names \(names.count) strips; the most is \(Limits.strips)")
    }
    guard names.allSatisfy(StripName.isValid), Set(names).count == names.count else {
      throw .parameter("strips", "must be names of strips with commas between, each once")
    }
    if let principal = context.principal, names != [principal.strip] { throw .ofAnotherStrip }
    let newest = try Problem.mapping(catalogue.newestRevisions(of: names))
    if let missing = names.first(where: { newest[$0] == nil }) {
      throw Problem(.noSuchStrip(missing), parameter: "strips")
    }
    // The response to HEAD has no body, so its stream gets no events.
    guard context.request.method == .get else { return .response(.events(EventStream())) }
    return .response(
      .events(
        feed.subscribe(
          to: names, at: newest, after: context.request["last-event-id"]?.text,
          by: context.principal)))
  }
}
