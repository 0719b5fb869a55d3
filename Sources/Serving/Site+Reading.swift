internal import HTTP
internal import Items

extension Site {
  /// A strip at a revision; nil for the first strip and for the newest revision.
  func edition(of strip: String?, at revision: Int64? = nil) throws(Problem) -> Edition {
    do {
      return try catalogue.edition(of: strip, at: revision, patience: patience)
    } catch {
      throw Problem(error)
    }
  }

  /// What `read` finds in a strip at a revision.
  ///
  /// Where no revision is asked for and the strip is replaced while it is being read, it is read
  /// again at its new one.
  ///
  /// - Parameter known: the edition, where it has been looked for just now.
  func reading<Found>(
    _ strip: String?, at revision: Int64?, known: Edition? = nil,
    _ read: (Edition) throws(Problem) -> Found
  ) throws(Problem) -> Found {
    var known = known
    var attempts = 0
    while true {
      do {
        if let edition = known.take() { return try read(edition) }
        return try read(edition(of: strip, at: revision))
      } catch {
        guard error.status == 410, revision == nil, attempts < 8 else { throw error }
        attempts += 1
        try refreshed()
      }
    }
  }

  private func refreshed() throws(Problem) {
    do throws(CatalogueError) {
      guard patience == .waits else { throw CatalogueError.notAtHand }
      try catalogue.refresh()
    } catch {
      throw Problem(error)
    }
  }

  /// Strips as a list shows them, in the order of their making.
  func summaries(after: String?, limit: Int) throws(Problem) -> [StripSummary] {
    do {
      return try catalogue.summaries(after: after, limit: limit, patience: patience)
    } catch {
      var problem = Problem(error)
      problem.parameter = "after"
      throw problem
    }
  }

  /// What a read answers: text with a strong tag, or 304 where the client holds it already.
  ///
  /// - Parameter isPinned: whether the request named its revision, so that the answer never changes.
  func reading(
    _ bytes: [UInt8], as type: String = "application/json", isPinned: Bool, to request: Request,
    fields: [Field] = []
  ) throws(Problem) -> Response {
    try representation(bytes, as: type, isPinned: isPinned, fields: fields).answer(to: request)
  }

  /// The same, for whoever asks; made ready to be sent again where it `isKept`.
  func representation(
    _ bytes: [UInt8], as type: String = "application/json", isPinned: Bool, isKept: Bool = false,
    fields: [Field] = []
  ) -> Representation {
    let keeping = isPinned ? "public, max-age=31536000, immutable" : freshness.cacheControl
    return Representation(
      type, bytes,
      fields: [Field("Cache-Control", keeping)] + origins.fieldsForAnyone + fields,
      encoder: encoder, isKept: isKept)
  }
}
