import Catalogue
import HTTP

extension App {
  /// `GET /events`: the new revisions of the named strips, as server-sent events.
  func events(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    let parameters = try Parameters(request, known: ["strips", "v"])
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
    if let holder = context.holder, names != [holder.strip] { throw .ofAnotherStrip }
    let newest: [String: Int64]
    do throws(CatalogueError) {
      newest = try catalogue.newestRevisions(of: names)
      if let missing = names.first(where: { newest[$0] == nil }) { throw .noSuchStrip(missing) }
    } catch {
      var problem = Problem(error)
      if problem.status == 404 { problem.parameter = "strips" }
      throw problem
    }
    // The response to HEAD has no body, so its stream gets no events.
    guard request.method == .get else { return .response(.events(EventStream())) }
    return .response(
      .events(
        feed.listen(
          to: names, at: newest, after: request["last-event-id"]?.text, by: context.holder)))
  }
}
