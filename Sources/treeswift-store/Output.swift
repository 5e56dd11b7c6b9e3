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

extension Duration {
  /// In the largest whole unit, such as `3 min`.
  var brief: String {
    let seconds = components.seconds
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}

extension Date {
  /// The local time of day, such as `09:41:00`.
  var timeOfDay: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "HH:mm:ss"
    return formatter.string(from: self)
  }

  /// RFC 3339, in UTC.
  var rfc3339: String { ISO8601DateFormatter().string(from: self) }
}
