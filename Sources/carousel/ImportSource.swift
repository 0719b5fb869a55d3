import Catalogue

/// A file of items, and how it is read.
struct ImportSource {
  let file: String
  let format: ImportFormat
  let mapping: ImportMapping
  let options: ReadingOptions
  let interruption: CancellationSignal

  /// Opens the file, and reads the header of a table.
  ///
  /// - Throws: `.failed` when it cannot be read, `.invalid` for a header that the mapping does not
  ///   fit.
  func open() throws(CatalogueError) -> (input: InputFile, reader: any ItemReader) {
    let input = try InputFile(file, interruption: interruption)
    let stream = ByteStream { () throws(CatalogueError) in try input.read() }
    do throws(CatalogueError) {
      switch format {
      case .csv: return (input, try CSVItems(stream, mapping: mapping, options: options))
      case .jsonl: return (input, JSONLinesItems(stream, options: options))
      }
    } catch {
      throw error.at(line: 1, of: file)
    }
  }
}

extension CatalogueError {
  /// The error with the place in a file before it, where the file is to blame.
  func at(line: Int, of file: String) -> CatalogueError {
    guard case .invalid(let sentence) = self else { return self }
    return .invalid("\(file):\(line): \(sentence)")
  }
}
