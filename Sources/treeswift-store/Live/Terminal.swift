import Foundation

/// The control sequences of a terminal (ECMA-48, and the second screen of xterm).
enum Terminal {
  /// Shows the second screen, without the cursor.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  /// Shows the first screen again, as it was.
  static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  /// In characters; 24 rows of 80 if the terminal does not report it.
  // Safe: the call fills a local variable of the type that it expects.
  static var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0,
      size.ws_col > 0
    else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Draws lines over what is there, without an empty screen between the two.
  static func drawing(_ lines: [String], _ size: (rows: Int, columns: Int)) -> String {
    let visible = lines.prefix(size.rows).map { $0.prefix(size.columns) + "\u{1B}[K" }
    return "\u{1B}[H" + visible.joined(separator: "\r\n") + "\u{1B}[J"
  }
}
