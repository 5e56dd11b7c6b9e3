import Foundation

/// The output for the user. Colours only on a terminal.
struct Screen {
  private let hasColours = isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

  func title(_ text: String) { print("\n" + styled(text, "1;36")) }

  func line(_ text: String) { print("  " + text) }

  func aside(_ text: String) { print("  " + styled(text, "2")) }

  /// A line of network traffic.
  func traffic(_ text: String) { print("    " + styled(text, "2")) }

  func problem(_ text: String) { print("  " + styled(text, "33")) }

  /// A line of two columns.
  func row(_ left: String, _ right: String) {
    let gap = String(repeating: " ", count: max(1, 44 - left.count - right.count))
    line(left + gap + right)
  }

  static func printError(_ text: String) {
    FileHandle.standardError.write(Data("storefront: \(text)\n".utf8))
  }

  private func styled(_ text: String, _ code: String) -> String {
    hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
