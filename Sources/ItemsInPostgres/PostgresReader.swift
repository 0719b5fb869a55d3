internal import Items

/// What a catalogue reads its strips with.
struct PostgresReader: Sendable {
  let sessions: Sessions
  let cache: ContentCache

  var address: Address { sessions.address }
}
