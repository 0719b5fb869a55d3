/// Strips that can be changed: what the server and `carousel edit` write to.
///
/// Each change is one transaction, and makes one revision that whoever reads next has.
package protocol StripEditor: Sendable {
  /// How many strips may be changed at once.
  var width: Int { get }

  /// Changes the items of a strip.
  ///
  /// - Parameter once: the key of a change that is made once: the same again makes none.
  /// - Returns: the revision that the change has made.
  /// - Throws: `.noSuchStrip`; `.revisionDiffers` where another is expected; `.conflict` or
  ///   `.invalid` for what cannot be done, or a key that another change has; as any change `.busy`
  ///   where others have written until `deadline`.
  func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionGuard, once: IdempotencyKey?,
    by deadline: WriteDeadline
  ) throws(CatalogueError) -> Int64

  /// Changes the settings of a strip; makes the strip where there is none.
  func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionGuard, by deadline: WriteDeadline
  ) throws(CatalogueError) -> SettingsMade

  /// Removes a strip with all its items.
  func remove(
    _ strip: String, expecting: RevisionGuard, by deadline: WriteDeadline
  ) throws(CatalogueError)

  /// What the bearer of this secret may do with a strip, be there such a strip or not.
  func permission(of secret: [UInt8], for strip: String) throws(CatalogueError) -> Permission

  /// Ends all connections to the store, also those that its strips are read on, and leaves it in order:
  /// for who has done all that there was to do. Whatever is asked for afterwards fails.
  func close()
}

extension StripEditor {
  /// One, where a store has one writer.
  package var width: Int { 1 }

  /// Nothing, where a store is in order however its connections end.
  package func close() {}
}

// Changes whose turn is now.
extension StripEditor {
  package func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionGuard, once: IdempotencyKey?
  ) throws(CatalogueError) -> Int64 {
    try edit(strip, batch, expecting: expecting, once: once, by: WriteDeadline())
  }

  package func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionGuard
  ) throws(CatalogueError) -> SettingsMade {
    try set(strip, patch, expecting: expecting, by: WriteDeadline())
  }

  package func remove(_ strip: String, expecting: RevisionGuard) throws(CatalogueError) {
    try remove(strip, expecting: expecting, by: WriteDeadline())
  }
}

/// At which revision a strip has to be for a change to be made.
package enum RevisionGuard: Hashable, Sendable {
  /// At any, or at none.
  case anything
  /// At one of these.
  case oneOf([Int64])
  /// At any, as long as there is the strip.
  case existence
  /// At none of these.
  case noneOf([Int64])
  /// At none: there is no strip.
  case absence
  /// As both say.
  indirect case both(RevisionGuard, RevisionGuard)

  /// - Throws: `.revisionDiffers` where `revision`, nil for no strip, is not as expected.
  package func check(_ revision: Int64?) throws(CatalogueError) {
    guard isMet(by: revision) else { throw .revisionDiffers(revision) }
  }

  private func isMet(by revision: Int64?) -> Bool {
    switch self {
    case .anything: true
    case .oneOf(let revisions): revision.map(revisions.contains) ?? false
    case .existence: revision != nil
    case .noneOf(let revisions): revision.map { !revisions.contains($0) } ?? true
    case .absence: revision == nil
    case .both(let first, let second): first.isMet(by: revision) && second.isMet(by: revision)
    }
  }
}

/// What a client calls a change, so that it is made once however often it is asked for.
package struct IdempotencyKey: Hashable, Sendable {
  /// 1 to 255 bytes.
  package let key: [UInt8]
  /// The change as it was sent: the same key with another body is a mistake.
  package let body: Digest

  /// - Throws: `.invalid` for a key that is too long.
  package init(_ key: some Collection<UInt8>, body: [UInt8]) throws(CatalogueError) {
    guard 1...255 ~= key.count else {
      throw .invalid("Idempotency-Key: it is \(key.count) bytes, not 1 to 255")
    }
    self.key = Array(key)
    self.body = Digest(of: body)
  }

  /// How long a key is kept, in microseconds: a day.
  package static let lifetime: Int64 = 86_400_000_000
}

/// What a change of settings has made.
package struct SettingsMade: Hashable, Sendable {
  package let revision: Int64
  /// Whether there was no such strip before.
  package let isNew: Bool

  package init(revision: Int64, isNew: Bool) {
    self.revision = revision
    self.isNew = isNew
  }
}

/// What a token allows.
package enum Permission: Hashable, Sendable {
  /// There is no such token, or none any more.
  case unknown
  /// The token is another strip's.
  case ofAnotherStrip
  /// The token is good for reading alone.
  case toRead
  case granted

  /// What `grant`, that of a token if it is one, permits with `strip`.
  package init(of grant: TokenGrant?, for strip: String) {
    switch grant {
    case nil: self = .unknown
    case let grant? where grant.strip != strip: self = .ofAnotherStrip
    case let grant?: self = grant.right == .changes ? .granted : .toRead
    }
  }
}
