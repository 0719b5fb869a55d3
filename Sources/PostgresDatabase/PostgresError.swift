import Catalogue
import SQLCatalogue

struct PostgresError: Error {
  /// SQLSTATE, as in appendix A of PostgreSQL's manual; nil for an error of the connection.
  let state: String?
  let message: String
  /// Whether the connection can no longer be used.
  let isLost: Bool
  /// Whether no server accepts connections there: none runs, or it is starting or stopping.
  var isUnreachable = false

  /// Whether the connection is lost, or the server is stopping or not ready yet.
  var isFatal: Bool { isLost || ["57P01", "57P02", "57P03"].contains(state) }
}

/// - Parameter name: how the error names the database.
func mappingErrors<Value>(
  _ name: String, _ body: () throws -> Value
) throws(CatalogueError) -> Value {
  try CatalogueError.mapping(name, { (error: PostgresError) in CatalogueError(error, name) }, body)
}

extension CatalogueError {
  /// The one place where an error of PostgreSQL becomes an error of the catalogue.
  init(_ error: PostgresError, _ name: String) {
    let message = error.message
    switch error.state.map({ (String($0.prefix(2)), $0) }) {
    case _ where error.isFatal, ("08", _)?, ("28", _)?, ("3D", _)?,
      ("53", "53300")?:
      self = .unavailable("\(name) cannot be reached: \(message)")
    case (_, "55P03")?, ("40", _)?:
      self = .busy("\(name) is being written by another command: try again later")
    case (_, "57014")?: self = .interrupted
    case ("3F", _)?, (_, "42P01")?:
      self = .unavailable("\(name) holds no catalogue; \"carousel import\" makes one")
    case ("53", _)?, ("54", _)?, ("58", _)?: self = .failed("\(name): \(message)")
    case (_, "25006")?:
      self = .unavailable(
        "\(name) cannot be written, because it is a standby or read-only: \(message)")
    case (_, "42501")?, ("25", _)?: self = .failed("\(name) cannot be written: \(message)")
    case nil: self = .failed("\(name): \(message)")
    default: self = .corrupt("\(name) is damaged: \(message)")
    }
  }
}
