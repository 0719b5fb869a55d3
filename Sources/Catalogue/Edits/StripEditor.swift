package import Items

/// A store of strips that accepts changes. The server and `carousel edit` write to it.
///
/// Each change is one transaction and makes one revision, unless it changes nothing. Later reads see the revision.
package protocol StripEditor: TokenVerifier {
  /// The number of strips that can be changed at the same time.
  var maxConcurrentWrites: Int { get }

  /// The reason why changes are impossible now, for clients; nil if there is no known reason. It may look at the store's
  /// file and folder, and waits for no lock.
  var readOnlyReason: String? { get }

  /// Changes the items of a strip.
  ///
  /// - Parameters:
  ///   - idempotencyKey: a repeated change with the same key does nothing, and has the same result.
  ///   - undoLimit: the most bytes of the undo; nil for no undo. With a key, `IdempotencyKey.undoLimit` applies too.
  /// - Throws: `.noSuchStrip`; `.revisionDiffers` if `expecting` is not met; `.conflict` or `.invalid`
  ///   for an impossible change or a key of another change; `.busy` if another writer holds the
  ///   store's lock until `deadline`; `.outcomeUnknown` if the change may have been made.
  func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey?, undoLimit: Int?, by deadline: WriteDeadline
  ) throws(CatalogueError) -> EditResult

  /// Changes the settings of a strip. Creates the strip if it does not exist.
  ///
  /// - Parameter idempotencyKey: see `edit`. It is stored even if the settings stay the same.
  /// - Throws: as `edit`.
  func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey?, by deadline: WriteDeadline
  ) throws(CatalogueError) -> SettingsResult

  /// Removes a strip with all its items.
  ///
  /// - Parameter idempotencyKey: see `edit`. A repeated removal does nothing, also if there is a new strip of the name.
  /// - Throws: as `edit`.
  func remove(
    _ strip: String, expecting: RevisionPrecondition, idempotencyKey: IdempotencyKey?,
    by deadline: WriteDeadline
  ) throws(CatalogueError)

  /// Stores a list for views of a strip.
  ///
  /// - Returns: whether the list is new.
  /// - Throws: `.noSuchStrip`; `.busy` as `edit`.
  func store(
    _ list: ItemList, for strip: String, by deadline: WriteDeadline
  ) throws(CatalogueError) -> Bool

  /// Schedules maintenance when a server starts, because an earlier server may have left work.
  func scheduleMaintenance()

  /// Closes all connections to the store, including read connections. Later calls fail.
  func close()
}

extension StripEditor {
  package var maxConcurrentWrites: Int { 1 }

  package var readOnlyReason: String? { nil }

  package func scheduleMaintenance() {}

  package func close() {}
}

/// The deadline of a change: ten seconds after its request arrived. The time in a queue counts too.
package struct WriteDeadline: Sendable {
  package static let seconds = 10

  package let end: ContinuousClock.Instant

  package init(asked: ContinuousClock.Instant = .now) { end = asked + .seconds(Self.seconds) }

  /// The remaining milliseconds, rounded down; 0 after the deadline.
  package var millisecondsLeft: Int {
    max(0, Int((end - .now) / .milliseconds(1)))
  }
}

/// A precondition of a change on the revision of its strip: `If-Match` and `If-None-Match`.
package enum RevisionPrecondition: Hashable, Sendable {
  /// Any revision, or no strip.
  case anything
  case oneOf([Int64])
  /// Any revision of an existing strip.
  case existence
  /// None of these revisions, or no strip.
  case noneOf([Int64])
  /// The strip does not exist.
  case absence
  indirect case both(RevisionPrecondition, RevisionPrecondition)

  /// - Parameter revision: the strip's revision; nil for no strip.
  /// - Throws: `.revisionDiffers` if the precondition is not met.
  package func check(_ revision: Int64?) throws(CatalogueError) {
    guard isSatisfied(by: revision) else { throw .revisionDiffers(revision) }
  }

  private func isSatisfied(by revision: Int64?) -> Bool {
    switch self {
    case .anything: true
    case .oneOf(let revisions): revision.map(revisions.contains) ?? false
    case .existence: revision != nil
    case .noneOf(let revisions): revision.map { !revisions.contains($0) } ?? true
    case .absence: revision == nil
    case .both(let first, let second):
      first.isSatisfied(by: revision) && second.isSatisfied(by: revision)
    }
  }
}

/// A client's key for a change. A store applies the change only once, even if the client sends it again.
package struct IdempotencyKey: Hashable, Sendable {
  /// 1 to 255 bytes.
  package let key: [UInt8]
  /// The digest of the request's body. The same key with another body is an error.
  package let body: Digest

  /// - Throws: as `check(_:)`.
  package init(_ key: some Collection<UInt8>, body: Digest) throws(CatalogueError) {
    try Self.check(key)
    self.key = Array(key)
    self.body = body
  }

  /// - Throws: `.invalid` for a key that is empty or too long.
  package static func check(_ key: some Collection<UInt8>) throws(CatalogueError) {
    guard 1...255 ~= key.count else {
      throw .invalid("Idempotency-Key: it has \(key.count) bytes, not 1 to 255")
    }
  }

  /// The lifetime of a key in the store, in microseconds: one day.
  package static let lifetime: Int64 = 86_400_000_000

  /// The most bytes of an undo, which the store keeps as long as its key: enough for the largest item.
  package static let undoLimit = 128 << 10
}

package struct EditResult: Hashable, Sendable {
  package let revision: Int64
  /// The batch that takes the edit back, as a JSON array, or `null` if none can; nil if it was not asked for.
  package let undo: [UInt8]?

  package init(revision: Int64, undo: [UInt8]? = nil) {
    self.revision = revision
    self.undo = undo
  }
}

package struct SettingsResult: Hashable, Sendable {
  package let revision: Int64
  /// Whether the change has created the strip.
  package let isNew: Bool

  package init(revision: Int64, isNew: Bool) {
    self.revision = revision
    self.isNew = isNew
  }
}
