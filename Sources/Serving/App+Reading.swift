import Catalogue
import HTTP

extension App {
  /// A strip at a revision; nil for the first strip and for the newest revision.
  ///
  /// The one way to what a strip holds, and so where closed reading is closed: 401 goes before 404, so
  /// that nobody without a token learns which strips there are.
  func edition(of strip: String?, at revision: Int64? = nil) throws(Problem) -> Edition {
    let own = try reader.map { reader throws(Problem) in try reader.strip(mode) }
    if let own, let strip, own != strip { throw .ofAnotherStrip }
    do {
      return try catalogue.edition(of: strip ?? own, at: revision, mode: mode)
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
      guard mode == .mayBlock else { throw CatalogueError.wouldBlock }
      try catalogue.refresh()
    } catch {
      throw Problem(error)
    }
  }

  /// Strips as a list shows them, in the order of their making: where reading is closed, the one that
  /// may be read.
  func summaries(after: String?, limit: Int) throws(Problem) -> [StripSummary] {
    if let reader {
      let own = try reader.strip(mode)
      guard after == nil || after == own else { throw .ofAnotherStrip }
      do {
        return after == nil ? [StripSummary(try edition(of: own))] : []
      } catch {
        // A token may be older than its strip.
        guard error.status == 404 else { throw error }
        return []
      }
    }
    do {
      return try catalogue.summaries(after: after, limit: limit, mode: mode)
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
    let labels = App.labels(
      type, fields, freshness: freshness, origins: origins, isPinned: isPinned,
      isPrivate: reader != nil)
    return try Representation(bytes, labels, encoder: encoder).answer(to: request)
  }

  /// What a window says, for whoever asks; made ready to be sent again where it `isKept`.
  func representation(window bytes: [UInt8], isPinned: Bool, isKept: Bool) -> Representation {
    let labels = windowLabels[(isPinned ? 1 : 0) + (reader == nil ? 0 : 2)]
    return Representation(bytes, labels, encoder: encoder, isReused: isKept)
  }

  /// What answers of a media type say.
  static func labels(
    _ type: String, _ fields: [Field] = [], freshness: Freshness, origins: CrossOrigin,
    isPinned: Bool, isPrivate: Bool
  ) -> HeaderTemplate {
    let cacheControl = freshness.cacheControl(isPinned: isPinned, isPrivate: isPrivate)
    return HeaderTemplate(
      type, [Field("Cache-Control", cacheControl)] + origins.fieldsForAnyOrigin + fields,
      varying: isPrivate ? "Authorization" : nil)
  }
}
