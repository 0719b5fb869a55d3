/// A path with named places: `/strips/{strip}/items/{id}`.
struct PathPattern: Sendable {
  private enum Segment: Sendable {
    case text(Bytes)
    case place(String)
  }

  /// The pattern as it was written.
  let text: StaticString
  private let segments: [Segment]
  /// The path, where it has no places.
  private let literal: Bytes?

  init(_ pattern: StaticString) {
    text = pattern
    let path = Array(pattern.description.utf8)
    precondition(path.first == UInt8(ascii: "/"), "A pattern begins with /.")
    segments = path.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    )
    .map { segment in
      segment.first == UInt8(ascii: "{") && segment.last == UInt8(ascii: "}")
        ? .place(segment.dropFirst().dropLast().text) : .text(segment)
    }
    literal = path.contains(UInt8(ascii: "{")) ? nil : path[...]
  }

  /// Whether `path`, not decoded, is spelled like this, which then has no places.
  func spells(_ path: Bytes) -> Bool {
    guard let literal, literal.count == path.count else { return false }
    return literal.elementsEqual(path)
  }

  /// What stands in the places, or nil where the path is another.
  func match(_ path: PathSegments) -> PathValues? {
    guard path.segments.count == segments.count else { return nil }
    var values = PathValues()
    for (segment, found) in zip(segments, path.segments) {
      switch segment {
      case .text(let text):
        guard text == found else { return nil }
      case .place(let name):
        guard !found.isEmpty else { return nil }
        values.append(name, found)
      }
    }
    return values
  }
}

/// A path split at `/`, then decoded; nil where a segment is not percent-encoded UTF-8.
struct PathSegments {
  private(set) var segments: [Bytes] = []

  init?(_ path: Bytes) {
    var rest = path.dropFirst()
    while true {
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      guard let segment = rest[..<end].percentDecoded() else { return nil }
      segments.append(segment)
      guard end < rest.endIndex else { return }
      rest = rest[(end + 1)...]
    }
  }
}

/// What stands in the named places of a path, decoded.
package struct PathValues: Sendable {
  private var values: [(name: String, value: Bytes)] = []

  package init() {}

  mutating func append(_ name: String, _ value: Bytes) { values.append((name, value)) }

  /// The text at the place `name`, which the route's pattern has.
  package subscript(_ name: String) -> String {
    guard let value = values.first(where: { $0.name == name })?.value else {
      preconditionFailure("The route's pattern has no {\(name)}.")
    }
    return value.text
  }
}
