import Catalogue

/// What PostgreSQL, or the way to it, has to say against a statement.
struct PostgresError: Error {
  /// The five letters of appendix A of PostgreSQL's manual; nil where the server said nothing.
  let state: String?
  let message: String
  /// Whether the connection is of no more use.
  let isLost: Bool
  /// Whether nobody takes connections where the database should be: no server, or one that is only
  /// starting, or ending.
  var isAway = false

  /// Whether the server says that it is about to end, or not ready yet.
  var isEnding: Bool { ["57P01", "57P02", "57P03"].contains(state) }
}

/// Runs `body` and gives what it throws as a `CatalogueError`: the one place where an error of
/// PostgreSQL becomes one of ours.
///
/// - Parameter address: the database, as the sentence is to name it.
func catching<Result: ~Copyable>(
  _ address: Address, _ body: () throws -> Result
) throws(CatalogueError) -> Result {
  do {
    return try body()
  } catch let error as CatalogueError {
    throw error
  } catch let error as PostgresError {
    throw CatalogueError(error, address)
  } catch {
    throw .failed("\(address): \(error)")
  }
}

extension CatalogueError {
  init(_ error: PostgresError, _ address: Address) {
    let message = error.message
    switch error.state.map({ (String($0.prefix(2)), $0) }) {
    case _ where error.isLost || error.isEnding, ("08", _)?, ("28", _)?, ("3D", _)?,
      ("53", "53300")?:
      self = .unavailable("\(address) is not to be had: \(message)")
    case (_, "55P03")?:
      self = .busy("\(address) is being written by another command: try again later")
    case ("40", _)?:
      self = .unavailable("\(address) is being written by another command: try again later")
    case (_, "57014")?: self = .interrupted
    case ("3F", _)?, (_, "42P01")?:
      self = .unavailable("\(address) holds no catalogue; \"carousel import\" makes one")
    case ("53", _)?, ("54", _)?, ("58", _)?: self = .failed("\(address): \(message)")
    case (_, "42501")?, ("25", _)?: self = .failed("\(address) cannot be written: \(message)")
    case nil: self = .failed("\(address): \(message)")
    default: self = .corrupt("\(address) is damaged: \(message)")
    }
  }
}
