// A Hummingbird server that sends one window from memory: hummingbird-window FILE PORT
//
// It sends the bytes of a file and has one event loop. So a benchmark measures only the cost of a
// request in Hummingbird.

import Foundation
import Hummingbird
import NIOCore
import NIOPosix

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[2]) else {
  print("hummingbird-window FILE PORT")
  exit(64)
}
let window = ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: arguments[1])))
let headers: HTTPFields = [.contentType: "application/json"]

let router = Router()
router.get("window") { _, _ in
  Response(status: .ok, headers: headers, body: .init(byteBuffer: window))
}

let application = Application(
  router: router,
  configuration: .init(address: .hostname("127.0.0.1", port: port)),
  eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)))
try await application.runService()
