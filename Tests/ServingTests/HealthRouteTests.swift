import Catalogue
import Foundation
import HTTP
import Items
import Serving
import Testing
import Views
import Windowing

/// A catalogue whose first strip can no longer be read.
private struct Damaged: StripCatalogue {
  private static let error = CatalogueError.corrupt("/srv/secret.db is damaged: page 7")

  func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    throw Self.error
  }

  func snapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot {
    throw Self.error
  }

  func cachedSnapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot? {
    throw Self.error
  }

  func newestRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64] {
    throw Self.error
  }
}

struct HealthRouteTests {
  @Test func `a server is ready if it can read the first strip, or has none`() throws {
    let items = [try Item(id: "a", width: .px(9))]
    #expect(try app(catalogue(items)).get("/readyz").status == 200)
    #expect(try app(catalogue([])).get("/readyz").status == 200)
    #expect(try app(MemoryCatalogue([])).get("/readyz").status == 200)
  }

  @Test func `a server that cannot read its catalogue is alive and not ready`() throws {
    let app = try app(Damaged())
    #expect(app.get("/livez").status == 200)
    #expect(app.get("/readyz").status == 500)
  }

  @Test func `the operator sees the path of the catalogue, a client does not`() throws {
    let response = try app(Damaged()).get("/window")
    #expect(response.status == 500)
    #expect(!response.text.contains("secret"))
    #expect(response.cause?.contains("/srv/secret.db") == true)
  }
}
