internal import HTTP
internal import Items

extension Site {
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
    // A HEAD opens no stream that somebody would have to end.
    guard request.method == .get else {
      return Response(fields: [Field("Content-Type", "text/event-stream"), .noStore])
    }
    return .events(try feed.listen(to: names, after: request["last-event-id"]?.text))
  }
}
