import GraphJSON

/// Untrusted text, escaped for a comment or a string literal.
///
/// Characters that end a line, that are invisible or that change the reading direction are written
/// as `\u{…}`, so a reviewer sees the same text as the compiler.
package enum EscapedText {
  /// The lines of a text, for comments. Line feeds separate them, and so do carriage returns.
  // Safe: each line is copied during the call in which it is valid.
  static func lines(of text: String) -> [String] {
    var lines: [String] = []
    unsafe forEachLine(of: text) { unsafe lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  /// Visits the UTF-8 of the lines of a text; see `lines(of:)`.
  // Safe: the string keeps its bytes valid during the call; lines are ranges below their count.
  static func forEachLine(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = text
    if !isPrintable(&text) {
      for line in escapedLines(of: text) { unsafe line.withUnsafeBufferPointer(body) }
      return
    }
    // Nothing has to be escaped, so the bytes are the lines unchanged.
    text.withUTF8 { bytes in
      var start = 0
      while true {
        let next = unsafe TextScan.endOfLine(in: bytes, from: start)
        var end = next
        while end > start, unsafe bytes[end - 1] == 0x20 { end -= 1 }
        unsafe body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        if next == bytes.count { return }
        start = next + 1
      }
    }
  }

  private static func escapedLines(of text: String) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r": lines.append([])
      case "\t": lines[lines.count - 1].append(UInt8(ascii: " "))
      default: append(scalar, to: &lines[lines.count - 1])
      }
      previous = scalar
    }
    return lines.map(trimmingTrailingSpaces)
  }

  /// The text on one line, for comments.
  static func line(_ text: String) -> String {
    var text = text
    return needsNoEscaping(&text)
      ? text : lines(of: text).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The text as a Swift string literal with its quotation marks.
  package static func literal(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E && $0 != 0x22 && $0 != 0x5C }) {
      return "\"\(text)\""
    }
    var result = [UInt8(ascii: "\"")]
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result.append("\\\"")
      case "\\": result.append("\\\\")
      case "\n": result.append("\\n")
      case "\r": result.append("\\r")
      case "\t": result.append("\\t")
      default: append(scalar, to: &result)
      }
    }
    result.append("\"")
    return String(decoding: result, as: UTF8.self)
  }

  /// The text in backticks, for comments; in more of them if it contains backticks.
  static func code(_ text: String) -> String {
    let text = line(text)
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    guard longest > 0 else { return "`\(text)`" }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence) \(text) \(fence)"
  }

  /// Whether a text has no control characters except line feeds and no deceptive characters, as
  /// nearly all descriptions: then its bytes are used unchanged.
  // Safe: the string keeps its bytes valid during the call.
  private static func isPrintable(_ text: inout String) -> Bool {
    unsafe text.withUTF8(TextScan.isPrintable)
      || text.unicodeScalars.allSatisfy { $0 == "\n" || !isHidden($0) }
  }

  /// Whether a text is one safe line without spaces at its end, which is used unchanged.
  // Safe: the string keeps its bytes valid during the call.
  private static func needsNoEscaping(_ text: inout String) -> Bool {
    isPrintable(&text)
      && text.withUTF8 { bytes in
        unsafe bytes.last != 0x20 && TextScan.endOfLine(in: bytes, from: 0) == bytes.count
      }
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if isHidden(scalar) {
      bytes.append(utf8Of: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}")
    } else {
      bytes.append(contentsOf: scalar.utf8)
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: false
    case 0...0x9F: true  // Controls of ASCII and Latin-1, NEL among them.
    case 0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F: true  // Invisible, or marks of direction.
    case 0x2028...0x202E: true  // Line and paragraph separators, embeddings and overrides.
    case 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true  // Isolates and other format controls.
    case 0xE0000...0xE0FFF: true  // Tags and variation selectors.
    default: false
    }
  }

  private static func trimmingTrailingSpaces(_ line: [UInt8]) -> [UInt8] {
    var line = line
    while line.last == 0x20 { line.removeLast() }
    return line
  }
}

/// Scans text eight bytes at a time: descriptions are half of the generated text, and scanning
/// their bytes one by one took a quarter of the time of emitting.
// Safe: a word is loaded only if eight bytes are left, a byte only below the count.
enum TextScan {
  /// Whether all bytes are printable ASCII or line feeds.
  static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index &+ 8 <= bytes.count {
      let isPlain = unsafe WordScan.isPrintable(WordScan.load(bytes.baseAddress! + index))
      guard isPlain || (index..<index &+ 8).allSatisfy({ unsafe isPrintable(bytes[$0]) }) else {
        return false
      }
      index &+= 8
    }
    return unsafe bytes[index...].allSatisfy(isPrintable)
  }

  /// The first line feed at or after an index, or the end.
  static func endOfLine(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      let hits = unsafe WordScan.hits(WordScan.load(bytes.baseAddress! + index), of: 0x0A)
      if hits != 0 { return index &+ WordScan.firstByte(hits) }
      index &+= 8
    }
    while index < bytes.count, unsafe bytes[index] != 0x0A { index &+= 1 }
    return index
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    byte == 0x0A || (byte >= 0x20 && byte <= 0x7E)
  }
}
