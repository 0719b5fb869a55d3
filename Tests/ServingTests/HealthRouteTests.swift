import Catalogue
import Foundation
import HTTP
import Testing
import Windowing

@testable import Serving

/// A catalogue whose first strip can no longer be read.
private struct Damaged: StripCatalogue {
  func names(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [String] { ["strip"] }

  func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    throw .corrupt("/srv/secret.db is damaged: page 7")
  }
}

@Suite struct HealthRouteTests {
  @Test func `A server is ready that can read what it shows, or has nothing to show`() throws {
    let items = [try Item(id: "a", width: .px(9))]
    #expect(try site(catalogue(items)).get("/readyz").status == 200)
    #expect(try site(catalogue([])).get("/readyz").status == 200)
    #expect(try site(MemoryCatalogue([])).get("/readyz").status == 200)
  }

  @Test func `A server that cannot read its catalogue lives and is not ready`() throws {
    let site = try site(Damaged())
    #expect(try site.get("/livez").status == 200)
    #expect(try site.get("/readyz").status == 500)
  }

  @Test func `A client is not told where the catalogue is, the operator is`() throws {
    let response = try site(Damaged()).get("/window")
    #expect(response.status == 500)
    #expect(!response.text.contains("secret"))
    #expect(response.cause?.contains("/srv/secret.db") == true)
  }
}
