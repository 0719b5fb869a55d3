/// What can go wrong with a catalogue and with what is put into one: the one error of this module
/// and of the stores behind it.
///
/// Its `description` is a sentence for a person. What it becomes outside, an exit status or an HTTP
/// status, is settled where it leaves, in one exhaustive `switch` each.
package enum CatalogueError: Error, Hashable, Sendable {
  /// There is no strip of this name.
  case noSuchStrip(String)
  /// The catalogue holds no strip at all, so there is no first one.
  case noStrips
  /// A strip of this name exists, and the caller said neither to add to it nor to replace it.
  case stripExists(String)
  /// The revision was there once and is no longer held.
  case revisionGone(Int64)
  /// No such revision ever was.
  case revisionUnknown(Int64)
  /// The store has come to this revision, and whoever was asked has not followed it yet.
  case behind(Int64)
  /// It would have to be fetched, and whoever asks cannot wait.
  case wouldBlock
  /// The strip is at this revision, nil for no strip, and not as a change was made for.
  case revisionDiffers(Int64?)
  /// A change that cannot be made of the strip as it is, or contradicts an earlier one.
  case conflict(String)
  /// An item, a setting or a line of a file is not what the contract allows.
  case invalid(String)
  /// The store is not to be had: missing, of a newer version, or something else entirely.
  case unavailable(String)
  /// Others write to the store, and have for as long as a change waits for them.
  case busy(String)
  /// What is stored is not what was written.
  case corrupt(String)
  /// A read or a write failed: no space, no permission, a broken disk.
  case failed(String)
  /// The work was stopped from outside before it was done; nothing of it stays.
  case interrupted
}

extension CatalogueError {
  /// Whether it is the store that is not to be had now, whatever is asked of it.
  package var isOfTheStore: Bool {
    switch self {
    case .unavailable, .busy: true
    default: false
    }
  }
}

extension CatalogueError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSuchStrip(let name): "there is no strip \"\(name)\""
    case .noStrips: "the catalogue holds no strip"
    case .stripExists(let name): "a strip \"\(name)\" exists: say --append or --replace"
    case .revisionGone(let revision): "revision \(revision) is no longer held"
    case .revisionUnknown(let revision): "there never was a revision \(revision)"
    case .behind(let revision): "this server has not reached revision \(revision) yet"
    case .wouldBlock: "it is not at hand"
    case .revisionDiffers(let revision?): "the strip is at revision \(revision) by now"
    case .revisionDiffers(nil): "there is no such strip"
    case .invalid(let sentence), .conflict(let sentence), .unavailable(let sentence),
      .busy(let sentence), .corrupt(let sentence), .failed(let sentence):
      sentence
    case .interrupted: "interrupted: nothing was changed"
    }
  }
}
