/// An error of a catalogue, a store or an import. `description` is a sentence for users.
package enum CatalogueError: Error, Hashable, Sendable {
  case noSuchStrip(String)
  /// The catalogue has no strips, so there is no first strip.
  case noStrips
  /// The strip exists, and the caller asked neither to append to it nor to replace it.
  case stripExists(String)
  /// The revision existed and is no longer stored.
  case revisionGone(Int64)
  case revisionUnknown(Int64)
  /// The store has reached this revision, and this server has not read it yet.
  case revisionNotLoaded(Int64)
  /// The strip is at this revision, and the change expects another revision. Nil: no strip.
  case revisionDiffers(Int64?)
  /// The change does not fit the strip as it is, or contradicts an earlier change.
  case conflict(String)
  /// An item, a setting or a line of a file breaks a rule of `Public/openapi.json`.
  case invalid(String)
  /// The store is missing, has another version, or is not a store.
  case unavailable(String)
  /// Another writer has held the store's lock until the change's deadline.
  case busy(String)
  /// The connection was lost before the store confirmed a change. The change may be committed.
  case outcomeUnknown(String)
  /// Stored data is damaged. The sentence names the strip too, if it is known.
  case corrupt(String, strip: String? = nil)
  /// A write failed: no space is left, a limit is reached, or the disk is broken.
  case full(String)
  /// Another read or write failed, as for want of permission.
  case failed(String)
  /// A view needs more memory than its limit allows.
  case tooLarge
  /// The work was cancelled and rolled back.
  case interrupted
}

extension CatalogueError {
  /// Whether the store cannot answer any query now.
  package var isStoreUnavailable: Bool {
    switch self {
    case .unavailable, .busy: true
    default: false
    }
  }

  /// - Parameter location: where the fault is, such as `x.json:4` or `operation 2`.
  package func located(at location: String) -> CatalogueError {
    switch self {
    case .invalid(let sentence): .invalid("\(location): \(sentence)")
    case .conflict(let sentence): .conflict("\(location): \(sentence)")
    default: self
    }
  }
}

extension CatalogueError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSuchStrip(let name): "there is no strip \"\(name)\""
    case .noStrips: "the catalogue has no strips: add one with carousel import"
    case .stripExists(let name):
      "the strip \"\(name)\" exists: add to it with --append, or replace it with --replace"
    case .revisionGone(let revision):
      "revision \(revision) is no longer stored: request the newest revision"
    case .revisionUnknown(let revision): "there is no revision \(revision)"
    case .revisionNotLoaded(let revision):
      "this server has not read revision \(revision) yet: try again"
    case .revisionDiffers(let revision?): "the strip is at revision \(revision) now"
    case .revisionDiffers(nil): "there is no such strip"
    case .invalid(let sentence), .conflict(let sentence), .unavailable(let sentence),
      .busy(let sentence), .outcomeUnknown(let sentence), .corrupt(let sentence, _),
      .full(let sentence), .failed(let sentence):
      sentence
    case .tooLarge:
      "The view needs more memory than --view-memory allows. Select fewer items."
    case .interrupted: "interrupted: nothing was changed"
    }
  }
}

extension String {
  /// The text in quotes for an error: at most 60 characters, control characters replaced.
  package var quoted: String {
    let text = unicodeScalars.prefix(61).map { $0.isControl ? "\u{FFFD}" : $0 }
    let shown = String(String.UnicodeScalarView(text.prefix(60)))
    return "\"\(shown)\(text.count > 60 ? "..." : "")\""
  }
}

extension Unicode.Scalar {
  /// Whether this is in Unicode's category Cc.
  package var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }
}

/// Returns the next chunk of a file; empty at the end. It stands here because Swift 6.3 does not see that a closure which
/// throws a type uses the module of that type.
package typealias ByteSource = () throws(CatalogueError) -> [UInt8]
