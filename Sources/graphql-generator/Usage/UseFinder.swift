/// Finds in Swift source the lines that use generated members.
struct UseFinder {
  private let uses: Set<SwiftUse>

  init(uses: Set<SwiftUse>) { self.uses = uses }

  /// The lines of each use that occurs, ascending and without repeats.
  func lines(in source: [UInt8]) -> [SwiftUse: [Int]] {
    let tokens = SwiftScanner.tokens(of: source)
    var found: [SwiftUse: [Int]] = [:]
    /// The names before the open brackets; nil for those that are not calls.
    var calls: [String?] = []
    for (position, token) in tokens.enumerated() {
      let previous = position > 0 ? tokens[position - 1].text : ""
      note(.word(token.text), at: token.line, in: &found)
      switch token.text {
      case "(": calls.append(previous)
      case "[", "{": calls.append(nil)
      case ")", "]", "}": _ = calls.popLast()
      default:
        let isLabel = position + 1 < tokens.count && tokens[position + 1].text == ":"
        guard isLabel, previous == "(" || previous == ",", let call = calls.last ?? nil else {
          break
        }
        note(.label(token.text, call: call), at: token.line, in: &found)
      }
    }
    return found
  }

  private func note(_ use: SwiftUse, at line: Int, in found: inout [SwiftUse: [Int]]) {
    guard uses.contains(use), found[use]?.last != line else { return }
    found[use, default: []].append(line)
  }
}
