import Catalogue
import HTTP

extension App {
  /// `GET /events`: each new revision of the strips named, as server-sent events.
  func events(_ request: Request, _ path: PathValues) throws(Problem) -> Response {
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
    var newest: [String: Int64] = [:]
    for name in names { newest[name] = try revision(listenedTo: name) }
    // Nothing is written to what a HEAD gets, which ends with its head.
    guard request.method == .get else { return .events(EventStream()) }
    return .events(
      feed.listen(to: names, at: newest, after: request["last-event-id"]?.text, by: reader))
  }

  private func revision(listenedTo strip: String) throws(Problem) -> Int64 {
    do {
      return try edition(of: strip).revision
    } catch {
      var problem = error
      if problem.status == 404 { problem.parameter = "strips" }
      throw problem
    }
  }
}
