import Catalogue

/// What a database of ours looks like: tables in a schema of their own, `carousel`, beside whatever
/// else the database holds.
///
///     strip   one row a strip: its settings, its revision and the sums over its items, see
///             `StripTotals`; who changes a strip locks its row
///     kind    the kinds of a strip, by number
///     item    the items of a strip by position; `since` is the revision that wrote the row
///     layout  the same items again, only sizes, kinds and groups, packed a thousand a row: what a
///             server reads when it starts
///     change  what the layout came to be with each revision: the log that servers follow. The rows
///             of `layout` are brought up to date later, and hold all up to what `folded` says
///
///     past_strip, past_item
///             what these were at revisions that are held: `until` is the last one
///     former  the last revision of a strip that is gone, for its name's next one
///     token   who may change which strip; `once` the changes that are made once
///     home    what the place is called where the catalogue is at home, see `Restoration`
///
/// Positions leave gaps, so that an item put between two others moves neither. A strip's number is
/// never used again: rows of a strip that was replaced cannot be taken for those of its successor.
enum Schema {
  /// The version of the schema; a database says its own in `version`.
  static let version: Int64 = 3

  /// Makes sure that there is a catalogue in the database, of this program's version: an older one
  /// is brought up to date, in one transaction.
  ///
  /// - Throws: `.unavailable`, with a sentence that says what there is instead.
  static func check(_ session: Session, _ address: Address) throws {
    if let found = try found(session), found < version {
      try session.transaction { try bringUpToDate(session) }
    }
    try checkVersion(session, address)
  }

  /// Whether there is a catalogue in the database, of this version or an older one.
  ///
  /// - Throws: `.unavailable` for one of a newer version.
  static func isThere(_ session: Session, _ address: Address) throws -> Bool {
    guard try found(session) != nil else { return false }
    try checkVersion(session, address)
    return true
  }

  private static func checkVersion(_ session: Session, _ address: Address) throws {
    guard let found = try found(session) else {
      throw CatalogueError.unavailable(
        "\(address) holds no catalogue; \"carousel import\" makes one")
    }
    guard found <= version else {
      throw CatalogueError.unavailable(
        "\(address) is of version \(found), this carousel knows no later than \(version): "
          + "use the newer program that made it")
    }
  }

  /// Makes the tables where there are none, in the caller's transaction.
  ///
  /// Two that come at once wait for one another.
  static func make(_ session: Session, _ address: Address) throws {
    if try found(session) == nil {
      try lock(session)
      if try found(session) == nil { try session.runAll(sql) }
    }
    try bringUpToDate(session)
    try checkVersion(session, address)
  }

  /// Makes a catalogue of an older version one of this, in the caller's transaction.
  private static func bringUpToDate(_ session: Session) throws {
    guard let found = try found(session), found < version else { return }
    try lock(session)
    if try self.found(session) == 1 { try session.runAll(second) }
    if try self.found(session) == 2 { try session.runAll(third) }
  }

  private static func lock(_ session: Session) throws {
    try session.run("SELECT pg_advisory_xact_lock(7161690892365950316)")
  }

  private static func found(_ session: Session) throws -> Int64? {
    let isThere = try session.run("SELECT to_regclass('carousel.version') IS NOT NULL")
      .first { try $0.boolean(0) }
    guard isThere == true else { return nil }
    return try session.run("SELECT number FROM carousel.version").first { try $0.integer(0) }
  }

  private static let sql: StaticString = """
    CREATE SCHEMA IF NOT EXISTS carousel;

    CREATE TABLE carousel.version (number bigint NOT NULL);
    INSERT INTO carousel.version VALUES (3);

    CREATE TABLE carousel.home (name text NOT NULL);
    INSERT INTO carousel.home VALUES ('');

    CREATE SEQUENCE carousel.place;

    CREATE TABLE carousel.strip (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      place bigint NOT NULL UNIQUE,
      name text COLLATE "C" NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
      title text NOT NULL CHECK (octet_length(title) <= 1024),
      height bigint NOT NULL CHECK (height BETWEEN 16 * 64 AND 16384 * 64),
      gap bigint NOT NULL CHECK (gap BETWEEN 0 AND 65536 * 64),
      inset bigint NOT NULL CHECK (inset BETWEEN 0 AND 65536 * 64),
      loop boolean NOT NULL,
      snap text NOT NULL CHECK (snap IN ('none', 'start', 'center', 'end')),
      item_width bigint NOT NULL CHECK (item_width BETWEEN 0 AND 100000 * 64),
      first_revision bigint NOT NULL,
      revision bigint NOT NULL CHECK (revision >= first_revision),
      folded bigint NOT NULL,
      pending bigint NOT NULL DEFAULT 0,
      count bigint NOT NULL DEFAULT 0,
      aspects bigint NOT NULL DEFAULT 0,
      widths bigint NOT NULL DEFAULT 0,
      bare bigint NOT NULL DEFAULT 0,
      kind_counts text NOT NULL DEFAULT ''
    );

    CREATE TABLE carousel.kind (
      strip bigint NOT NULL REFERENCES carousel.strip ON DELETE CASCADE,
      number smallint NOT NULL CHECK (number BETWEEN 0 AND 63),
      name text COLLATE "C" NOT NULL CHECK (name ~ '^[a-z][a-z0-9-]{0,31}$'),
      PRIMARY KEY (strip, number),
      UNIQUE (strip, name)
    );

    CREATE TABLE carousel.item (
      strip bigint NOT NULL,
      position bigint NOT NULL,
      since bigint NOT NULL,
      kind smallint NOT NULL CHECK (kind BETWEEN 0 AND 63),
      aspect integer CHECK (aspect BETWEEN 0 AND 1000 * 65536),
      width integer CHECK (width BETWEEN 0 AND 100000 * 64),
      id text COLLATE "C" NOT NULL CHECK (octet_length(id) BETWEEN 1 AND 256),
      "group" text COLLATE "C" CHECK (octet_length("group") <= 1024),
      fields json NOT NULL CHECK (
        octet_length(fields::text) <= 65536 AND json_typeof(fields) = 'object'),
      PRIMARY KEY (strip, position),
      UNIQUE (strip, id)
    );

    CREATE TABLE carousel.layout (
      strip bigint NOT NULL REFERENCES carousel.strip ON DELETE CASCADE,
      position bigint NOT NULL,
      count integer NOT NULL CHECK (count > 0),
      step bigint NOT NULL CHECK (step > 0),
      sizes bytea NOT NULL CHECK (octet_length(sizes) = 8 * count),
      groups bytea,
      positions bytea CHECK (octet_length(positions) = 8 * count),
      PRIMARY KEY (strip, position)
    );

    CREATE TABLE carousel.change (
      strip bigint NOT NULL REFERENCES carousel.strip ON DELETE CASCADE,
      revision bigint NOT NULL,
      count integer NOT NULL,
      changes bytea NOT NULL,
      tail bigint,
      PRIMARY KEY (strip, revision)
    );

    CREATE TABLE carousel.past_strip (
      strip bigint NOT NULL REFERENCES carousel.strip ON DELETE CASCADE,
      until bigint NOT NULL,
      ended bigint NOT NULL,
      place bigint NOT NULL,
      weight bigint NOT NULL,
      kinds text NOT NULL,
      title text NOT NULL,
      height bigint NOT NULL,
      gap bigint NOT NULL,
      inset bigint NOT NULL,
      loop boolean NOT NULL,
      snap text NOT NULL,
      item_width bigint NOT NULL,
      PRIMARY KEY (strip, until)
    );

    CREATE TABLE carousel.past_item (
      strip bigint NOT NULL,
      position bigint NOT NULL,
      since bigint NOT NULL,
      until bigint NOT NULL CHECK (until >= since),
      kind smallint NOT NULL,
      aspect integer,
      width integer,
      id text COLLATE "C" NOT NULL,
      "group" text COLLATE "C",
      fields json NOT NULL,
      PRIMARY KEY (strip, position, until)
    );
    CREATE INDEX past_item_id ON carousel.past_item (strip, id);
    CREATE INDEX past_item_until ON carousel.past_item (strip, until);

    CREATE TABLE carousel.former (
      name text COLLATE "C" PRIMARY KEY,
      revision bigint NOT NULL
    );

    CREATE TABLE carousel.token (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
      strip text COLLATE "C" NOT NULL,
      only_reads boolean NOT NULL,
      made bigint NOT NULL,
      expires bigint
    );

    CREATE TABLE carousel.once (
      strip text COLLATE "C" NOT NULL,
      key bytea NOT NULL,
      body bytea NOT NULL,
      revision bigint NOT NULL,
      made bigint NOT NULL,
      PRIMARY KEY (strip, key)
    );
    CREATE INDEX once_made ON carousel.once (made);
    """

  /// What version 2 brought: the sums over a strip's items, and how many changes are not folded.
  private static let second: StaticString = """
    ALTER TABLE carousel.strip
      ADD COLUMN pending bigint NOT NULL DEFAULT 0, ADD COLUMN count bigint NOT NULL DEFAULT 0,
      ADD COLUMN aspects bigint NOT NULL DEFAULT 0, ADD COLUMN widths bigint NOT NULL DEFAULT 0,
      ADD COLUMN bare bigint NOT NULL DEFAULT 0;
    UPDATE carousel.strip SET pending = (
      SELECT coalesce(sum(count), 0) FROM carousel.change
      WHERE change.strip = strip.number AND revision > folded);
    UPDATE carousel.strip SET (count, aspects, widths, bare) = (
      SELECT count(*), coalesce(sum(aspect), 0), coalesce(sum(width), 0),
        count(*) FILTER (WHERE aspect IS NULL AND width IS NULL)
      FROM carousel.item WHERE item.strip = strip.number);
    UPDATE carousel.version SET number = 2;
    """

  /// What version 3 brought: how many items there are of each kind, and where the catalogue is at home. A
  /// kind of none gives its number to a new one, and is not listed.
  private static let third: StaticString = """
    ALTER TABLE carousel.strip ADD COLUMN kind_counts text NOT NULL DEFAULT '';
    UPDATE carousel.strip SET kind_counts = (
      SELECT coalesce(string_agg(kind || ':' || count, ','), '')
      FROM (SELECT kind, count(*) AS count FROM carousel.item WHERE item.strip = strip.number
        GROUP BY kind) AS counts);
    CREATE TABLE carousel.home (name text NOT NULL);
    INSERT INTO carousel.home VALUES ('');
    UPDATE carousel.version SET number = 3;
    """
}
