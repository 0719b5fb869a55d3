import Catalogue
import Dispatch
import Foundation
import HTTP
import Items
import Serving
import Synchronization
import Views

/// An app over a catalogue, with a page of two templates.
func app(
  _ catalogue: any StripCatalogue, origins: CrossOrigin = CrossOrigin(.any),
  encoder: (any ContentEncoder)? = nil, viewMemory: Int = 256 << 20,
  viewWait: Duration = .seconds(60)
) throws -> App {
  App(
    catalogue: catalogue, files: nil, pages: PageFile(path: try testPage.get()), origins: origins,
    encoder: encoder, viewMemory: viewMemory, viewWait: viewWait)
}

private let testPagePath = FileManager.default.temporaryDirectory
  .appending(path: "carousel-\(UUID()).html")

/// The path of the page, one for all tests. It is removed when the process exits.
private let testPage = Result {
  try Data(
    """
    <title>{{title}}</title><style>{{{style}}}</style>
    <template data-kind="card"><img src="{image}" alt="{alt}"><b>{title}</b></template>
    <template data-kind="priced"><b data-if="price">{price|currency}</b></template>
    <template data-kind="link"><a href="{href}">{title}</a></template>
    <ul data-window="{{window}}">{{{items}}}</ul>
    {{#previous}}<a rel="prev" href="{{previous}}">{{/previous}}
    {{#next}}<a rel="next" href="{{next}}">{{/next}}
    """.utf8
  ).write(to: testPagePath)
  atexit { try? FileManager.default.removeItem(at: testPagePath) }
  return testPagePath.path
}

/// A catalogue of one strip, `strip`, at revision 7.
func catalogue(
  _ items: [Item], _ change: (inout StripSettings) -> Void = { _ in }
) throws -> MemoryCatalogue {
  var settings = StripSettings(title: "strip")
  change(&settings)
  return try MemoryCatalogue([
    Snapshot(name: "strip", settings: settings, revision: 7, items: items)
  ])
}

extension App {
  /// The response to `request`. Blocks until a deferred response arrives.
  func response(to request: Request) -> Response { PendingResponse(self, request).wait() }

  /// The response to `GET target`.
  func get(_ target: String, _ headers: [(String, String)] = []) -> Response {
    response(to: Request(.get, target, headers: headers))
  }

  /// The response to `GET target`, if it needs no other thread.
  func getAtOnce(_ target: String) -> Response? {
    guard case .response(let response) = handle(Request(.get, target)) else { return nil }
    return response
  }
}

/// A request that may not have its response yet.
final class PendingResponse: Sendable {
  private let delivered = Mutex<Response?>(nil)
  private let isDelivered = DispatchSemaphore(value: 0)
  let isDeferred: Bool

  /// - Parameters:
  ///   - isClientWaiting: whether the client is still connected.
  ///   - onDelivery: called with the response.
  init(
    _ app: App, _ request: Request, isClientWaiting: @escaping @Sendable () -> Bool = { true },
    onDelivery: @escaping @Sendable (Response) -> Void = { _ in }
  ) {
    let answer = app.handle(request)
    if case .deferred = answer { isDeferred = true } else { isDeferred = false }
    let deliver = { @Sendable [self] (response: Response) in
      delivered.withLock { $0 = response }
      onDelivery(response)
      isDelivered.signal()
    }
    switch answer {
    case .response(let response): deliver(response)
    case .deferred(let start): start(Responder(isClientWaiting: isClientWaiting) { deliver($0) })
    }
  }

  convenience init(_ app: App, _ target: String) { self.init(app, Request(.get, target)) }

  var response: Response? { delivered.withLock { $0 } }

  func wait() -> Response {
    isDelivered.wait()
    isDelivered.signal()
    return response ?? Response(status: 599)
  }
}

extension Response {
  var text: String { String(decoding: body.bytes, as: UTF8.self) }

  /// The body as JSON.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body.bytes))) as? [String: Any] ?? [:]
  }
}
