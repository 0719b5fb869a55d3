/// What became of one position of a strip's layout.
package struct LayoutChange: Sendable {
  /// What stands at a position: all that a layout knows of an item.
  package struct State: Sendable {
    package let item: StoredSize
    package let group: String?

    package init(_ item: StoredSize, group: String?) {
      self.item = item
      self.group = group
    }

    package init(_ item: Item, kind: Int) {
      self.init(
        StoredSize(aspect: item.aspect, width: item.width, kind: kind), group: item.group)
    }
  }

  package let position: Int64
  /// What stood there; nil for nothing.
  package var before: State?
  /// What stands there now; nil for nothing.
  package var after: State?

  package init(position: Int64, before: State?, after: State?) {
    self.position = position
    self.before = before
    self.after = after
  }
}

extension LayoutChange.State: Equatable {
  /// Groups compare as bytes.
  package static func == (a: Self, b: Self) -> Bool {
    a.item == b.item && a.group.isSameGroup(as: b.group)
  }
}

extension String? {
  /// Whether both are the same group, bytes compared.
  package func isSameGroup(as other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let title?, let other?): title.utf8.elementsEqual(other.utf8)
    default: false
    }
  }
}

/// What became of a strip's layout from one revision to another, by position.
///
/// A store keeps one for each revision, beside chunks of the layout that it brings up to date later.
/// Applied again it changes nothing more, so that it does not matter which chunks have been; and
/// turned round it leads back to what was.
package struct LayoutChanges: Sendable {
  private var changes: [LayoutChange]

  /// - Parameter changes: at most one for each position.
  package init(_ changes: [LayoutChange]) {
    self.changes = changes.sorted { $0.position < $1.position }
  }

  /// In order, each position once.
  init(sorted changes: [LayoutChange]) { self.changes = changes }

  package var count: Int { changes.count }
  package var isEmpty: Bool { changes.isEmpty }

  package subscript(place: Int) -> LayoutChange { changes[place] }

  /// The change of the way back.
  package var reversed: LayoutChanges {
    LayoutChanges(
      sorted: changes.map {
        LayoutChange(position: $0.position, before: $0.after, after: $0.before)
      })
  }
}

/// The way from one revision of a strip to a later one, as a store has kept it.
package struct LayoutStep: Sendable {
  package let changes: LayoutChanges
  /// Where items were put behind all others without a change for each: nothing stood here or
  /// farther before. Nil where there are none.
  package let tail: Int64?

  package init(_ changes: LayoutChanges, tail: Int64? = nil) {
    self.changes = changes
    self.tail = tail
  }
}

extension [LayoutStep] {
  /// The least position where a tail begins.
  package var tail: Int64? { compactMap(\.tail).min() }

  /// All steps, in order, as one, once everything from `tail` on is as the layout's chunks have it.
  package var forward: LayoutChanges {
    if count == 1 { return self[0].changes }
    var last: [Int64: LayoutChange] = [:]
    for step in self {
      // What stood there before a tail came, and had gone, is nothing to what came.
      if let tail = step.tail { last = last.filter { $0.key < tail } }
      for place in 0..<step.changes.count {
        var change = step.changes[place]
        if let known = last[change.position] { change.before = known.before }
        last[change.position] = change
      }
    }
    return LayoutChanges([LayoutChange](last.values))
  }

  /// The way back from the last to before the first, once everything from `tail` on is taken away.
  package var backward: LayoutChanges {
    if count == 1 { return self[0].changes.reversed }
    var first: [Int64: LayoutChange] = [:]
    var tail = Int64.max
    for step in self {
      for place in 0..<step.changes.count {
        let change = step.changes[place]
        // What came with a tail, and was changed later, was not there before.
        guard change.position < tail else { continue }
        if first[change.position] == nil {
          first[change.position] = change
        } else {
          first[change.position]?.after = change.after
        }
      }
      if let begin = step.tail { tail = Swift.min(tail, begin) }
    }
    return LayoutChanges([LayoutChange](first.values)).reversed
  }
}
