import Glibc
import HTTP
import HTTPDaemon
let keptTag = EntityTag("abc")
let keptResponse = Response("application/json", [UInt8](repeating: 65, count: 4096), fields: [Field("Cache-Control", "public, max-age=31536000, immutable"), Field("Vary", "Accept-Encoding")] + CrossOrigin().fieldsForAnyone).tagged(keptTag).kept()
struct Site: Handler {
  let router = Router<Int>([
    .get("/") { _, _, _ in .response(Response("text/plain", [1])) },
    .get("/strips") { _, _, _ in .response(Response("text/plain", [1])) },
    .get("/strips/{strip}") { _, _, _ in .response(Response("text/plain", [1])) },
    .get("/strips/{strip}/items/{id}") { _, _, _ in .response(Response("text/plain", [1])) },
    .get("/livez") { _, _, _ in .response(Response("text/plain", [1])) },
    .get("/window") { _, r, _ throws(Problem) in
      let q = try Query(r, allowing: ["strip","offset","width","height","overscan","pool","index","item","align","at","wrap","have","revision","format","v"])
      guard q["offset"] != nil else { throw .badParameter("offset", "x") }
      let bytes = [UInt8](repeating: 65, count: 4096)
      return .response(Response("application/json", bytes, fields: [Field("Cache-Control", "public, max-age=31536000, immutable"), Field("Vary", "Accept-Encoding")]).tagged(EntityTag(hashing: bytes)))
    },
  ])
  let cross = CrossOrigin()
  func answer(_ r: Request) -> Answer { if r.path.spells("/kept") { return .response(keptResponse.unlessHeld(by: r, keptTag)) }; return cross.answer(r) { router.answer($0, in: 1) } }
}
var o = DaemonOptions()
o.port = 0
o.threads = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 1
let d = try Daemon(o, handler: Site()) { print($0) }
print(d.port); fflush(nil)
_ = readLine()
var u = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &u)
print("cpu", Double(u.ru_utime.tv_sec) + Double(u.ru_utime.tv_usec)/1e6, Double(u.ru_stime.tv_sec) + Double(u.ru_stime.tv_usec)/1e6)
