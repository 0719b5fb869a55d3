import Foundation
import Photos
import PictureMessages
import Synchronization
import Testing

/// A file of one byte, without a time.
private func file(_ path: [UInt8]) -> PhotoFile {
  var status = stat()
  status.st_size = 1
  return PhotoFile(path: path, status)
}

@Suite struct PhotoFileTests {
  @Test(arguments: [
    ("a b/é.jpg", "a b/é.jpg"), ("100%.jpg", "100%25.jpg"), ("line\n.jpg", "line%0A.jpg"),
  ])
  func `The id of a file is its path`(path: String, id: String) {
    #expect(file(Array(path.utf8)).id == id)
  }

  @Test func `Bytes that are no UTF-8 are percent-encoded in the id and in the title`() {
    let strange = file(Array("é/".utf8) + [0xFF, 0xC3] + Array("x.jpg".utf8))
    #expect(strange.id == "é/%FF%C3x.jpg")
    #expect(strange.title == "%FF%C3x")
    #expect(strange.folder == "é")
  }

  @Test func `The id of a long path is its hash`() {
    let longest = [UInt8](repeating: 120, count: 256)
    #expect(file(longest).id == String(repeating: "x", count: 256))
    #expect(file(longest + [120]).id.utf8.count == 43)
    #expect(file(longest + [120]).id != file(longest + [121]).id)
  }

  @Test func `The album is the first folder of the path`() {
    #expect(file(Array("2019/May/a.jpg".utf8)).album == "2019")
    #expect(file(Array("2019/May/a.jpg".utf8)).folder == "2019/May")
    #expect(file(Array("a.jpg".utf8)).album == "")
  }

  @Test func `A file that changes has another key`() {
    var status = stat()
    status.st_size = 7
    let before = PhotoFile(path: [97], status)
    status.st_mtim.tv_nsec = 1
    let after = PhotoFile(path: [97], status)
    #expect(before.key != after.key)
    #expect(PhotoKey(before.key.description) == before.key)
    #expect(PhotoKey(before.key.description.uppercased() + "0") == nil)
  }

  @Test(arguments: [Int.min, -100_000_000_000, 10_413_792_000, Int.max])
  func `A file system may say any time`(second: Int) {
    var status = stat()
    status.st_mtim.tv_sec = second
    let file = PhotoFile(path: [97], status)
    let year = second < 0 ? "100" : second == Int.max ? "9999" : "2300"
    #expect(TakenDate(PictureHeader(), modified: file.modified).text.hasPrefix(year))
    status.st_mtim.tv_nsec = 1
    #expect(PhotoFile(path: [97], status).key != file.key)
  }
}

@Suite struct PhotoFolderTests {
  @Test func `A path is in a folder whatever links and dots it has`() throws {
    let base = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(
      atPath: base + "/pictures/2019", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: base) }
    for (link, target) in [("link", "pictures"), ("below", "pictures/2019")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(base)/\(link)", withDestinationPath: target)
    }
    for path in ["/pictures", "/link"] {
      let folder = PhotoFolder(at: base + path)
      #expect(folder.part(of: base + "/pictures/a/b") == "/a/b")
      #expect(folder.part(of: base + "/link/../pictures/a") == "/a")
      #expect(folder.part(of: base + "/below/a") == "/2019/a")
      #expect(folder.part(of: base + "/link") == "")
      #expect(folder.part(of: base + "/pictures2/a") == nil)
      #expect(folder.part(of: base) == nil)
    }
    #expect(PhotoFolder(at: "/").part(of: base)?.hasSuffix(base) == true)
  }
}

@Suite struct PictureHeaderTests {
  @Test(
    arguments: [
      (.width, "0"), (.width, "9223372036854775807"), (.height, "-1"), (.width, "200000"),
      (.color, "\"}}"), (.thumbhash, "A\\"), (.type, "<b>"),
    ] as [(PictureHeader.Name, String)])
  func `A header that the program would not send is none`(name: PictureHeader.Name, text: String) {
    var header = PictureHeader()
    (header[.width], header[.height], header[.type]) = ("2000", "1500", "jpeg")
    (header[.color], header[.thumbhash]) = ("#0a1b2c", "1QcSHQRnh493V4dIh4eXh1h4kJUI+/8=")
    #expect(PictureHeader(texts: header.texts) == header)
    header[name] = text
    #expect(PictureHeader(texts: header.texts) == nil)
    #expect(PictureHeader(texts: ["1", "1"]) == nil)
  }

  @Test func `Long texts are cut`() {
    var header = PictureHeader()
    (header[.width], header[.height]) = ("1", "1")
    header[.make] = String(repeating: "é", count: 300)
    #expect(PictureHeader(texts: header.texts)?[.make].count == 256)
  }
}

/// A thread that waits, and the names of the requests that it takes when it goes on.
private final class Requests: Sendable {
  let workers: PictureWorkerPool
  private let start = DispatchSemaphore(value: 0)
  private let taken = Mutex<[String]>([])
  private let group = DispatchGroup()

  init() throws {
    workers = try PictureWorkerPool(program: "", count: 1)
    let isWaiting = DispatchSemaphore(value: 0)
    workers.submit(
      .make,
      opening: { [start] in
        isWaiting.signal()
        start.wait()
        return nil
      }
    ) { _, _ in }
    isWaiting.wait()
  }

  /// - Parameter isLeft: whether no request waits for the picture.
  func submit(_ name: String, isLeft: Bool = true) {
    group.enter()
    workers.submit(.make, named: name) { [self] in
      taken.withLock { $0.append(name) }
      if isLeft { group.leave() }
      return isLeft ? nil : []
    } _: { [self] _, _ in
      taken.withLock { $0.append("end of \(name)") }
      group.leave()
    }
  }

  func order() -> [String] {
    start.signal()
    group.wait()
    workers.stop()
    return taken.withLock { $0 }
  }
}

@Suite struct PictureWorkerPoolTests {
  @Test func `The picture that was asked for last is next, also if it was asked for before`() throws
  {
    let requests = try Requests()
    for name in ["a", "b", "c"] { requests.submit(name) }
    requests.workers.prioritize("a")
    requests.workers.prioritize("d")
    #expect(requests.order() == ["a", "c", "b"])
  }

  @Test func `If too many wait, the oldest request ends`() throws {
    let requests = try Requests()
    for number in 0...PictureWorkerPool.requestLimit { requests.submit("\(number)") }
    let order = requests.order()
    #expect(order.first == "end of 0")
    #expect(order.dropFirst().first == "\(PictureWorkerPool.requestLimit)")
    #expect(order.count == PictureWorkerPool.requestLimit + 1)
  }

  @Test func `A picture for which no request waits has no end, since others may ask again`() throws
  {
    let requests = try Requests()
    requests.submit("left")
    requests.submit("gone", isLeft: false)
    #expect(requests.order() == ["gone", "end of gone", "left"])
  }
}

@Suite struct ScanOrderTests {
  @Test func `Files are read by folder, with the newest one and what is in view first`() {
    func file(_ path: String, at second: Int) -> PhotoFile {
      var status = stat()
      status.st_mtim.tv_sec = second
      return PhotoFile(path: Array(path.utf8), status)
    }
    var unread = ScanOrder([
      file("a/1.jpg", at: 1), file("a/2.jpg", at: 2), file("b/1.jpg", at: 9),
      file("b/2.jpg", at: 9), file("b/3.jpg", at: 8), file("c/1.jpg", at: 0),
      file("c/2.jpg", at: 0), file("c/3.jpg", at: 0),
    ])
    func path(_ file: PhotoFile?) -> String { String(decoding: file?.path ?? [], as: UTF8.self) }
    var samples = unread.takeSamples()
    #expect((0..<3).map { _ in path(samples.popLast()) } == ["b/2.jpg", "a/2.jpg", "c/3.jpg"])
    unread.sort { ["a": 2024, "b": 2019][String(decoding: $0, as: UTF8.self)] ?? 0 }
    let seen: [String?] = [nil, "c", "c", "c", nil, nil]
    #expect(
      seen.map { path(unread.next(in: $0.map { Array($0.utf8) })) } == [
        "a/1.jpg", "c/2.jpg", "c/1.jpg", "b/1.jpg", "b/3.jpg", "",
      ])
  }
}

@Suite struct TakenDateTests {
  private func date(_ original: String, _ offset: String = "", changed: String = "") -> String {
    var header = PictureHeader()
    header[.original] = original
    header[.offset] = offset
    header[.changed] = changed
    return TakenDate(header, modified: 0).text
  }

  @Test func `EXIF says when a picture was taken, with an offset or without`() {
    #expect(date("2024:05:01 12:00:00") == "2024-05-01T12:00:00")
    #expect(date("2024:05:01 12:00:00", "+02:00") == "2024-05-01T12:00:00+02:00")
    #expect(date("2024:05:01 12:00:00", "now") == "2024-05-01T12:00:00")
    #expect(date("", "+02:00", changed: "2020:02:29 23:59:59") == "2020-02-29T23:59:59")
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2023:02:29 00:00:00", "2023:13:01 00:00:00",
    "2023:01:01 24:00:00", "2023-01-01 12:00:00Z", "",
  ])
  func `The time of the file replaces what is no date`(original: String) {
    #expect(date(original).hasPrefix("1970-01-01T") || date(original).hasPrefix("1969-12-31T"))
  }
}

@Suite struct PictureCacheTests {
  @Test func `The pictures that were not used for the longest time leave first`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cache = PictureCache(at: folder, limit: 1000)
    func make(_ name: String) {
      let picture = Descriptors.memory()
      defer { close(picture) }
      #expect(write(picture, [UInt8](repeating: 0, count: 300), 300) == 300)
      cache.keep(name, picture)
    }
    for name in ["aa/1", "bb/2", "cc/3"] { make(name) }
    #expect(cache.path(of: "aa/1") != nil)
    make("dd/4")
    #expect(cache.path(of: "bb/2") == nil)
    #expect(cache.path(of: "aa/1") != nil)
    #expect(cache.bytes == 900)
    #expect(PictureCache(at: folder, limit: 1000).bytes == 900)
    #expect(PictureCache(at: folder, limit: 500).bytes <= 450)
    let empty = folder + "/aa/9"
    #expect(FileManager.default.createFile(atPath: empty, contents: nil))
    #expect(PictureCache(at: folder, limit: 1000).path(of: "aa/9") == nil)
    #expect(!FileManager.default.fileExists(atPath: empty))
  }
}
