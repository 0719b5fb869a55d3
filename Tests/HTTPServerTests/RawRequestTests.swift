import Foundation
import HTTP
import Testing

@testable import HTTPServer

/// Raw requests and the answers they must get, however the network cuts them.
@Suite struct RawRequestTests {
  struct Case: CustomTestStringConvertible, Decodable, Sendable {
    let request: String
    /// The statuses of all the answers until the connection is closed.
    let statuses: [Int]

    var testDescription: String { request.debugDescription }
  }

  /// Cases of one sort.
  private struct Section: Decodable {
    let about: String
    let cases: [Case]
  }

  /// What follows each refused request: it must not be answered.
  private static let next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// The table, which the proxies of `Tests/Contract/test_proxies.py` are held to as well: what is
  /// let through, and what two programs could read differently.
  static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Requests/raw-requests.json")
    do {
      return try JSONDecoder().decode([Section].self, from: Data(contentsOf: file)).flatMap(\.cases)
    } catch {
      preconditionFailure("\(file.path) cannot be read: \(error)")
    }
  }()

  private static let daemon = RunningDaemon()

  private func statuses(_ pieces: [ArraySlice<UInt8>]) throws -> [Int] {
    let client = try Self.daemon.client()
    for piece in pieces { client.send(piece) }
    let responses = client.allResponses()
    // A second head would be taken for the body of the first.
    #expect(responses.allSatisfy { $0.isWhole && !$0.text.hasPrefix("HTTP/") })
    return responses.map(\.status)
  }

  @Test(arguments: cases)
  func `A raw request gets its answer, and nothing behind a refused one does`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    #expect(try statuses([bytes[...]]) == raw.statuses)
  }

  @Test(arguments: cases)
  func `Cut in two at any byte, it gets the same answer`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    for cut in 1..<raw.request.utf8.count {
      #expect(try statuses([bytes[..<cut], bytes[cut...]]) == raw.statuses, "cut at \(cut)")
    }
  }

  @Test(arguments: cases)
  func `Sent byte by byte, it gets the same answer`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    #expect(try statuses(bytes.indices.map { bytes[$0...$0] }) == raw.statuses)
  }
}
