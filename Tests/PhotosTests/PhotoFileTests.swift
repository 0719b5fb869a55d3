import Foundation
import Photos
import PictureMessages
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
}

@Suite struct UnreadFilesTests {
  @Test func `Files are read by folder, with the newest one and what is in view first`() {
    func file(_ path: String, at second: Int) -> PhotoFile {
      var status = stat()
      status.st_mtim.tv_sec = second
      return PhotoFile(path: Array(path.utf8), status)
    }
    var unread = UnreadFiles([
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
    func make(_ name: String) throws {
      let opened = try #require(cache.begin(name))
      #expect(write(opened, [UInt8](repeating: 0, count: 300), 300) == 300)
      close(opened)
      #expect(cache.end(name, isMade: true))
    }
    for name in ["aa/1", "bb/2", "cc/3"] { try make(name) }
    #expect(cache.path(of: "aa/1") != nil)
    try make("dd/4")
    #expect(cache.path(of: "bb/2") == nil)
    #expect(cache.path(of: "aa/1") != nil)
    #expect(cache.bytes == 900)
    #expect(PictureCache(at: folder, limit: 1000).bytes == 900)
    #expect(PictureCache(at: folder, limit: 500).bytes <= 450)
  }
}
