import Foundation

/// The terminal in which the program runs: keys arrive without a line's end, and the program draws whole screens.
struct Terminal {
  private let settings: termios?

  init() {
    var current = termios()
    guard tcgetattr(STDIN_FILENO, &current) == 0 else {
      settings = nil
      return
    }
    settings = current
    current.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &current)
  }

  /// Restores the settings.
  func close() {
    if var settings { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
  }

  /// The keys, until the end of the input.
  var keys: AsyncStream<Character> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        while let byte = Self.readByte() {
          bytes.append(byte)
          // A character may have several bytes.
          guard let text = String(bytes: bytes, encoding: .utf8) else {
            if bytes.count == 4 { bytes = [] }
            continue
          }
          for character in text { continuation.yield(character) }
          bytes = []
        }
        continuation.finish()
      }
    }
  }

  private static func readByte() -> UInt8? {
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }

  func draw(_ lines: [String]) {
    let text = "\u{1B}[H\u{1B}[2J" + lines.joined(separator: "\n") + "\n"
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
