import Foundation
import GraphJSON

/// The tool's standard output and standard error.
enum Output {
  static func write(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  static func line(_ text: String) throws { try write(text + "\n") }

  /// A JSON value on one line.
  static func line(_ value: JSON) throws { try line(value.description) }

  static func error(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

extension String {
  /// Without characters that would control the terminal, which a key or a message of a server may contain.
  var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }

  /// The text with spaces up to a number of characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}

/// Rows with columns of the same width.
func table(_ rows: [[String]]) -> [String] {
  let widths = (0..<(rows.first?.count ?? 0)).map { column in
    rows.map { $0[column].count }.max() ?? 0
  }
  return rows.map { row in
    let cells = zip(row, widths).map { cell, width in cell.padded(to: width) }
    return String(cells.joined(separator: " ").reversed().drop { $0 == " " }.reversed())
  }
}
