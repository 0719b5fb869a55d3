/// How long an earlier revision can be read.
enum Retention {
  static let revisions: Int64 = 64
  static let microseconds: Int64 = 60_000_000
  static let bytes: Int64 = 64_000_000
}
