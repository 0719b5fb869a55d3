import Foundation
import HTTP
import HTTPServer
import Testing

/// Raw requests and their statuses, for each way to split them into packets.
@Suite struct RawRequestTests {
  struct Case: CustomTestStringConvertible, Decodable, Sendable {
    let request: String
    /// The statuses of all responses until the connection is closed.
    let statuses: [Int]

    var testDescription: String { request.debugDescription }
  }

  /// Cases of one kind.
  private struct Section: Decodable {
    let about: String
    let cases: [Case]
  }

  /// The request after each case. It must get no response after a rejection.
  private static let next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// The cases. `Tests/Contract/test_proxies.py` uses them too.
  static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Requests/raw-requests.json")
    do {
      return try JSONDecoder().decode([Section].self, from: Data(contentsOf: file)).flatMap(\.cases)
    } catch {
      preconditionFailure("\(file.path) cannot be read: \(error)")
    }
  }()

  private static let server = RunningServer()

  private func statuses(_ pieces: [ArraySlice<UInt8>]) throws -> [Int] {
    let client = try Self.server.client()
    for piece in pieces { client.send(piece) }
    let responses = client.allResponses()
    // A second head would be read as the body of the first response.
    #expect(responses.allSatisfy { $0.isWhole && !$0.text.hasPrefix("HTTP/") })
    return responses.map(\.status)
  }

  @Test(arguments: cases)
  func `a raw request gets its status, and no request after a rejection is answered`(
    _ raw: Case
  ) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    #expect(try statuses([bytes[...]]) == raw.statuses)
  }

  @Test(arguments: cases)
  func `a raw request in two packets gets the same status`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    for cut in 1..<raw.request.utf8.count {
      #expect(try statuses([bytes[..<cut], bytes[cut...]]) == raw.statuses, "cut at \(cut)")
    }
  }

  @Test(arguments: cases)
  func `a raw request in packets of one byte gets the same status`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    #expect(try statuses(bytes.indices.map { bytes[$0...$0] }) == raw.statuses)
  }
}
