/// Changes of one strip that are made in order, all or none.
///
///     [{"op":"insert","before":null,"items":[{"id":"a6"}]},
///      {"op":"remove","ids":["a1","a2"]}]
///
/// It comes as a JSON array, or as NDJSON, an operation a line.
package struct EditBatch: Sendable {
  /// How a batch is written.
  package enum Form: Sendable { case array, lines }

  struct Operation: Sendable {
    let edit: Edit
    /// What an error calls it.
    let label: String
  }

  private(set) var operations: [Operation] = []
  private let file: String?

  /// How many operations there are.
  package var count: Int { operations.count }

  /// - Parameter file: the file that an error is to name together with the line; without one, it
  ///   names the operation alone.
  /// - Throws: `.invalid`, with a sentence that names the operation at fault.
  /// - Complexity: one pass over the bytes, and with a file one for each operation.
  package init(_ bytes: [UInt8], as form: Form, file: String? = nil) throws(CatalogueError) {
    self.file = file
    switch form {
    case .array: try readArray(bytes)
    case .lines: try readLines(bytes)
    }
    guard !operations.isEmpty else {
      throw .invalid("\(file.map { "\($0):1: " } ?? "")the batch holds no operation")
    }
  }

  private mutating func readArray(_ bytes: [UInt8]) throws(CatalogueError) {
    var scanner = try scanner(bytes, line: 1)
    var isNamed = false
    do throws(CatalogueError) {
      try scanner.elements(of: "the batch") { scanner throws(CatalogueError) in
        let line = file == nil ? 1 : scanner.line()
        do throws(CatalogueError) {
          try append(&scanner, line: line)
        } catch {
          isNamed = true
          throw error
        }
      }
      try scanner.end()
    } catch {
      guard let file, !isNamed else { throw error }
      throw error.named("\(file):\(scanner.line())")
    }
  }

  private mutating func readLines(_ bytes: [UInt8]) throws(CatalogueError) {
    var line = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      var scanner = try scanner(Array(text), line: line)
      try append(&scanner, line: line)
      do throws(CatalogueError) {
        try scanner.end()
      } catch {
        throw error.named(label(line: line))
      }
    }
  }

  private func scanner(_ bytes: [UInt8], line: Int) throws(CatalogueError) -> JSONScanner {
    do throws(CatalogueError) {
      return try JSONScanner(bytes)
    } catch {
      throw file.map { error.named("\($0):\(line)") } ?? error
    }
  }

  /// What an error calls the operation that comes next.
  private func label(line: Int, name: String? = nil) -> String {
    (file.map { "\($0):\(line): " } ?? "") + "operation \(operations.count + 1)"
      + (name.map { " (\($0))" } ?? "")
  }

  private mutating func append(
    _ scanner: inout JSONScanner, line: Int
  ) throws(CatalogueError) {
    var read = EditReader()
    do throws(CatalogueError) {
      try read.members(&scanner)
      let edit = try read.edit()
      operations.append(Operation(edit: edit, label: label(line: line, name: edit.name)))
    } catch {
      throw error.named(label(line: line, name: read.name))
    }
  }
}
