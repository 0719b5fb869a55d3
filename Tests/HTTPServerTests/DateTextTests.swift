import Testing

@testable import HTTPServer

@Suite struct DateTextTests {
  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
  ])
  func `A second is written as RFC 9110 does`(second: Int, text: String) {
    let date = DateText(second: second)
    #expect(String(decoding: date.bytes, as: UTF8.self) == text)
    #expect(date.bytes.count == DateText.count)
  }
}
