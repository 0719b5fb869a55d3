import Catalogue

/// What a catalogue reads its strips with.
struct PostgresReader: Sendable {
  let sessions: Sessions
  let cache: ContentCache
  /// What the catalogue has taken in.
  let changes = ChangeCounter()

  var address: Address { sessions.address }
}
