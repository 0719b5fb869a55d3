import Items
import Testing
import Views

struct DateIntervalTests {
  @Test(arguments: [
    ("2019", "2019-01-01T00:00:00Z", "2019-12-31T23:59:59.999999Z"),
    ("2019-04", "2019-04-01", "2019-04-30"), ("2020-02", "2020-02-01", "2020-02-29"),
    ("1900-02", "1900-02-01", "1900-02-28"), ("2000-02", "2000-02-01", "2000-02-29"),
    ("0000-02", "0000-02-01", "0000-02-29"), ("9999-12", "9999-12-01", "9999-12-31"),
    ("2019-12-31", "2019-12-31T00:00", "2019-12-31T23:59"),
    ("2019-04-01t12:30", "2019-04-01 12:30:00", "2019-04-01T12:30:59"),
    ("2019-04-01T12:30:05", "2019-04-01T12:30:05.0", "2019-04-01T12:30:05.999999999"),
  ])
  func `a date is the interval that it names`(whole: String, first: String, last: String) throws {
    let interval = try #require(DateInterval(whole.utf8))
    let (first, last) = (
      try #require(DateInterval(first.utf8)), try #require(DateInterval(last.utf8))
    )
    #expect(interval.contains(first) && interval.contains(last))
    #expect(interval.local.lowerBound == first.local.lowerBound)
    #expect(interval.local.upperBound == last.local.upperBound)
  }

  @Test(arguments: [
    "", "201", "02019", "0999", "2019-", "2019-4", "2019-00", "2019-13", "2019-04-00", "2019-04-31",
    "2019-02-29", "1900-02-29", "2019-04-01T", "2019-04-01T12", "2019-04-01T24:00",
    "2019-04-01T12:60", "2019-04-01T12:00:61", "2019-04-01T12:00:00.", "2019-04-01T12:00:00+2",
    "2019-04-01T12:00:00+24:00", "2019-04-01Z", "2019-04Z", "2019-04-01T12:00:00Zx", "20190401",
    "2019/04", "２０１９", "2019-04-01T12:00:00.12345678901234567890123456789",
  ])
  func `other texts are no dates`(text: String) { #expect(DateInterval(text.utf8) == nil) }

  @Test func `an offset moves a date in UTC, and not by the clock of its place`() throws {
    let date = try #require(DateInterval("2019-12-31T23:30:00-05:00".utf8))
    #expect(date.utc == DateInterval("2020-01-01T04:30:00Z".utf8)?.utc)
    #expect(date.local == DateInterval("2019-12-31T23:30:00".utf8)?.local)
    #expect(try #require(DateInterval("2019".utf8)).contains(date))
    #expect(try #require(DateInterval("2020-01-01T04:30:00Z".utf8)).contains(date))
    #expect(
      DateInterval("2019-06-30T23:59:60Z".utf8)?.utc
        == DateInterval("2019-07-01T00:00:00Z".utf8)?.utc)
  }

  @Test func `dates and what looks like one stand between the numbers of years`() {
    let sorted = [
      "-5", "5", "1998", "1998-03", "1998-99", "1999", "1999-00", "1999-1", "1999-11", "1999-113",
      "1999-12", "2000-01-01T00:30+01:00", "1999-5", "1999-x", "2000", "2000-01-01", "2000-02-29",
      "2000-02-29T11:00Z", "2000-02-29 12:00", "2001", "3000000", "", "abc",
    ]
    let dictionary = ValueDictionary(of: MemoryBudget())
    let codes = sorted.reversed().map { dictionary.code(of: Array($0.utf8)) }
    let ranks = dictionary.ranks
    #expect(codes.reversed().map { Int(ranks[Int($0)]) } == Array(1...sorted.count))
  }
}
