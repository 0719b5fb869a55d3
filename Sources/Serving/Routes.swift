import HTTP

extension App {
  /// Every address that is not a file of `Public/`.
  static let routes: [Router<App>.Route] = [
    .get("/", answered(by: page)),
    .get("/index.html", answered(by: page)),
    .get("/window", answered(by: window)),
    .get("/strips", answered(by: strips)),
    .get("/strips/{strip}", answered(by: strip)),
    .put("/strips/{strip}", answered(by: set)),
    .delete("/strips/{strip}", answered(by: remove)),
    .post("/strips/{strip}/edits", answered(by: edit)),
    .get("/strips/{strip}/groups", answered(by: groups)),
    .get("/strips/{strip}/items/{id}", answered(by: item)),
    .get("/events", answered(by: events)),
    .get("/metrics", answered(by: metrics)),
    .get("/openapi.json", answered(by: interface)),
    .get("/livez", answered(by: liveness)),
    .get("/readyz", answered(by: readyz)),
  ]

  /// A route whose answer is there at once, or when the catalogue has fetched what it takes.
  private static func answered(
    by function: @escaping @Sendable (App) -> (Request, PathValues) throws(Problem) -> Response
  ) -> Router<App>.Action {
    { site, request, path in
      do throws(Problem) {
        return .response(try function(site)(request, path))
      } catch {
        return site.fetching(after: error) { site throws(Problem) in
          .response(try function(site)(request, path))
        }
      }
    }
  }

  /// A route whose answer may have to wait for something else as well.
  private static func answered(
    by function: @escaping @Sendable (App) -> (Request, PathValues) throws(Problem) -> Answer
  ) -> Router<App>.Action {
    { site, request, path in
      do throws(Problem) {
        return try function(site)(request, path)
      } catch {
        return site.fetching(after: error) { site throws(Problem) in
          try function(site)(request, path)
        }
      }
    }
  }
}

extension Field {
  static let noStore = Field("Cache-Control", "no-store")
}
