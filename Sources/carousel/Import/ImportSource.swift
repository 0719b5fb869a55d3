import ArgumentParser
import Catalogue
import Compression
import Foundation
import Items

struct ImportSource {
  let file: String
  let format: ImportFormat
  /// Nil if the file is in UTF-8.
  let encoding: TextEncoding?
  let mapping: ImportMapping
  let options: ReadingOptions
  let cancellation: CancellationSignal

  /// - Throws: `.failed` if the file cannot be read; `.invalid` if it is no table or JSON Lines, or if
  ///   the mapping does not fit the header.
  func open() throws(CatalogueError) -> (input: InputFile, reader: any ItemReader) {
    let input = try InputFile(file, cancellation: cancellation)
    do throws(CatalogueError) {
      let decoder = try InputDecoder(input, encoding: encoding)
      let stream = ByteStream { () throws(CatalogueError) in try decoder.read() }
      switch format {
      case .csv: return (input, try CSVItemReader(stream, mapping: mapping, options: options))
      case .jsonl: return (input, try JSONLinesItemReader(stream, options: options))
      }
    } catch {
      throw error.at(line: 1, of: file)
    }
  }
}

extension CatalogueError {
  /// Adds `FILE:LINE: ` to an error in the data only.
  func at(line: Int, of file: String) -> CatalogueError {
    guard case .invalid(let sentence) = self else { return self }
    return .invalid("\(file):\(line): \(sentence)")
  }

  /// Adds the first line as well, and says which lines the record takes if it takes several.
  func at(_ lines: ClosedRange<Int>, of file: String) -> CatalogueError {
    let (first, last) = (lines.lowerBound, lines.upperBound)
    guard case .invalid(let sentence) = self, last > first else { return at(line: first, of: file) }
    return .invalid("\(file):\(first): \(sentence); the record takes lines \(first) to \(last)")
  }
}

enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, jsonl

  /// The format by the end of the file's name, with or without `.gz`; nil if it is unknown.
  init?(fileName: String) {
    var name = fileName.lowercased()[...]
    if name.hasSuffix(".gz") { name = name.dropLast(3) }
    // Spreadsheets count as CSV: the errors of its reader say what to do with a spreadsheet or another delimiter.
    if [".csv", ".tsv", ".xlsx", ".xls", ".ods"].contains(where: name.hasSuffix) {
      self = .csv
    } else if [".jsonl", ".ndjson"].contains(where: name.hasSuffix) {
      self = .jsonl
    } else {
      return nil
    }
  }
}

/// The character between two cells of a CSV file: one ASCII character, or `tab`.
struct Delimiter: ExpressibleByArgument {
  let byte: UInt8

  init?(argument: String) {
    let text = ["tab", "\\t"].contains(argument) ? "\t" : argument
    guard text.utf8.count == 1, let byte = text.utf8.first, byte == 0x09 || 0x20..<0x7F ~= byte,
      byte != UInt8(ascii: "\"")
    else { return nil }
    self.byte = byte
  }
}

/// `MIN:MAX`, two decimals from 0 to 1000.
struct AspectRange: ExpressibleByArgument {
  let range: ClosedRange<Double>

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let low = Double(parts[0]), let high = Double(parts[1]),
      0...1000 ~= low, low...max(low, 1000) ~= high
    else { return nil }
    range = low...high
  }
}
