/// A finding in a document, schema or request, as a value. `description` renders it.
public struct Diagnostic: Error, Sendable, Equatable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable {
    case error, warning, note
  }

  /// An additional position that explains the diagnostic, e.g. the first of two definitions.
  public struct Note: Sendable, Equatable {
    /// The explanation of the position.
    public var message: String
    /// The position; nil if there is none.
    public var position: SourcePosition?

    /// Creates a note.
    public init(_ message: String, at position: SourcePosition? = nil) {
      self.message = message
      self.position = position
    }
  }

  /// The severity.
  public var severity: Severity
  /// A stable name of the violated rule, e.g. `syntax` or `FieldsNonEmpty`.
  public var code: String
  /// One or two sentences without line breaks.
  public var message: String
  /// The position; nil if it does not refer to one.
  public var position: SourcePosition?
  /// A suggested fix, as a question or sentence: `Did you mean "Product"?`
  public var suggestion: String?
  /// Additional positions that explain it.
  public var notes: [Note]

  /// Creates a diagnostic.
  public init(
    severity: Severity = .error, code: String, message: String, at position: SourcePosition? = nil,
    suggestion: String? = nil, notes: [Note] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.position = position
    self.suggestion = suggestion
    self.notes = notes
  }
}

/// All findings of one run; thrown if there is no result.
public struct Diagnostics: Error, Sendable, Equatable {
  /// In the order of the sources and the positions in them.
  public var elements: [Diagnostic]
  /// The number of errors that are not listed, because there are too many.
  var unlistedErrorCount = 0

  /// Creates a list of diagnostics.
  public init(_ elements: [Diagnostic]) { self.elements = elements }

  /// The diagnostics that prevent a result.
  public var errors: [Diagnostic] { elements.filter { $0.severity == .error } }

  /// The number of errors, with those that are not listed.
  package var errorCount: Int { errors.count + unlistedErrorCount }
}

/// A position in a source, with the information to show it.
public struct SourcePosition: Sendable, Equatable {
  /// The source's name.
  public var source: String
  /// 1-based.
  public var line: Int
  /// 1-based, in Unicode scalar values.
  public var column: Int
  /// The line at that position, truncated around it if long.
  public var excerpt: Excerpt?

  /// Creates a source position.
  public init(source: String, line: Int, column: Int, excerpt: Excerpt? = nil) {
    self.source = source
    self.line = line
    self.column = column
    self.excerpt = excerpt
  }

  /// One line of a source with a marked part.
  public struct Excerpt: Sendable, Equatable {
    /// Safe to print: control and directional characters are replaced by spaces.
    public var text: String
    /// Unicode scalars of `text` before the marked part.
    public var markStart: Int
    /// Unicode scalars of the marked part, at least 1.
    public var markLength: Int

    /// Creates an excerpt.
    public init(text: String, markStart: Int, markLength: Int) {
      self.text = text
      self.markStart = markStart
      self.markLength = markLength
    }
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The diagnostic in the form that tools and build logs expect:
  ///
  ///     schema.graphql:3:8: error: Unknown type "Prodct".
  ///      3 |   item: Prodct
  ///        |         ^~~~~~
  ///        = Did you mean "Product"?
  ///
  /// The rendering contains no control or directional characters, whatever the message quotes.
  public var description: String {
    var lines = Self.lines(severity.rawValue, message, position, suggestion)
    for note in notes {
      lines += Self.lines(Severity.note.rawValue, note.message, note.position, nil)
    }
    return lines.joined(separator: "\n")
  }

  private static func lines(
    _ label: String, _ message: String, _ position: SourcePosition?, _ suggestion: String?
  ) -> [String] {
    let place = position.map { "\(escaped($0.source)):\($0.line):\($0.column): " } ?? ""
    var lines = ["\(place)\(label): \(escaped(message))"]
    var margin = "  "
    if let position, let excerpt = position.excerpt {
      let number = String(position.line)
      margin = String(repeating: " ", count: number.utf8.count + 2)
      lines.append(" \(number) | \(excerpt.text)")
      let space = String(repeating: " ", count: excerpt.markStart)
      let tail = String(repeating: "~", count: max(0, excerpt.markLength - 1))
      lines.append("\(margin)| \(space)^\(tail)")
    }
    if let suggestion { lines.append("\(margin)= \(escaped(suggestion))") }
    return lines
  }
}

extension Diagnostics: CustomStringConvertible {
  /// The diagnostics, each as its own lines.
  public var description: String {
    elements.map(\.description).joined(separator: "\n")
  }
}

extension Source {
  /// The position of a byte range, with its line as an excerpt.
  public func position(from start: Int, to end: Int) -> SourcePosition {
    let (line, column) = lineAndColumn(at: start)
    return SourcePosition(
      source: name, line: line, column: column, excerpt: excerpt(line: line, start: start, end: end)
    )
  }

  /// The part of a line around a marked range, at most about 100 characters of it.
  private func excerpt(line: Int, start: Int, end: Int) -> SourcePosition.Excerpt? {
    let before = 60
    let longest = 100
    let lineRange = lineRange(line)
    guard !lineRange.isEmpty, start <= lineRange.upperBound else { return nil }
    // A byte order mark before the first line is not shown.
    let (start, end) = (max(start, lineRange.lowerBound), max(end, lineRange.lowerBound))

    // Truncated by bytes first, at character boundaries, since a line may be a whole file.
    var cutStart = max(lineRange.lowerBound, start - before)
    while cutStart < start, terminatedBytes[cutStart] & 0xC0 == 0x80 { cutStart += 1 }
    var cutEnd = min(lineRange.upperBound, cutStart + longest)
    while cutEnd > cutStart, cutEnd < count, terminatedBytes[cutEnd] & 0xC0 == 0x80 { cutEnd -= 1 }

    let head = shown(cutStart..<max(cutStart, min(start, cutEnd)))
    let marked = shown(min(start, cutEnd)..<max(start, min(end, cutEnd)))
    let tail = shown(max(start, min(end, cutEnd))..<max(start, cutEnd))
    let opening = cutStart > lineRange.lowerBound ? "…" : ""
    let closing = cutEnd < lineRange.upperBound ? "…" : ""
    return SourcePosition.Excerpt(
      text: opening + head + marked + tail + closing,
      markStart: opening.unicodeScalars.count + head.unicodeScalars.count,
      markLength: max(1, marked.unicodeScalars.count))
  }

  /// The bytes as text in which every character is one column wide and safe to print.
  private func shown(_ range: Range<Int>) -> String {
    if terminatedBytes[range].allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      return String(decoding: terminatedBytes[range], as: UTF8.self)
    }
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: terminatedBytes[range], as: UTF8.self).unicodeScalars {
      result.append(scalar == "\t" ? " " : isPrintable(scalar) ? scalar : "\u{FFFD}")
    }
    return String(result)
  }
}

extension [Source] {
  /// The position of a range; nil for nodes that were not read from a source.
  package func position(of range: SourceRange) -> SourcePosition? {
    guard range.isKnown, Int(range.source) < count else { return nil }
    return self[Int(range.source)].position(from: Int(range.start), to: Int(range.end))
  }
}

/// Collects the findings of the rules.
///
/// The cost of hostile input stays limited. After a number of errors or warnings, further ones are
/// only counted, and after a number of suggestions (each compares a name with many others) no more are
/// created.
struct DiagnosticCollector {
  static let maximumCount = 1_000
  private static let maximumAttemptCount = 100

  let sources: [Source]
  /// Which violations are only warnings.
  let rules: SchemaRules
  private var found: [(range: SourceRange, diagnostic: Diagnostic)] = []
  private var counts: [Diagnostic.Severity: Int] = [:]
  /// The number of warnings by code, with those that are not kept.
  private(set) var warningCounts: [String: Int] = [:]
  private var suppressedCount = 0
  private var attemptCount = 0

  init(sources: [Source], rules: SchemaRules = .specification) {
    self.sources = sources
    self.rules = rules
  }

  var isEmpty: Bool { found.isEmpty }
  var hasErrors: Bool { counts[.error] != nil }

  mutating func add(
    _ code: String, _ message: @autoclosure () -> String, at range: SourceRange,
    as severity: Diagnostic.Severity = .error,
    notes: @autoclosure () -> [(message: String, range: SourceRange)] = []
  ) {
    append(code, message(), at: range, as: severity, notes: notes)
  }

  /// - Parameter suggestion: called only for the first findings.
  mutating func add(
    _ code: String, _ message: @autoclosure () -> String, at range: SourceRange,
    as severity: Diagnostic.Severity = .error, suggestion: @autoclosure () -> String?,
    notes: @autoclosure () -> [(message: String, range: SourceRange)] = []
  ) {
    let attempts = attemptCount < Self.maximumAttemptCount
    if attempts { attemptCount += 1 }
    append(
      code, message(), at: range, as: severity, suggestion: attempts ? suggestion() : nil,
      notes: notes)
  }

  private mutating func append(
    _ code: String, _ message: @autoclosure () -> String, at range: SourceRange,
    as severity: Diagnostic.Severity, suggestion: @autoclosure () -> String? = nil,
    notes: () -> [(message: String, range: SourceRange)]
  ) {
    let severity = severity == .error && rules.tolerate(code) ? .warning : severity
    counts[severity, default: 0] += 1
    if severity == .warning { warningCounts[code, default: 0] += 1 }
    guard counts[severity, default: 0] <= Self.maximumCount else {
      suppressedCount += 1
      return
    }
    let diagnostic = Diagnostic(
      severity: severity, code: code, message: message(), at: sources.position(of: range),
      suggestion: suggestion(),
      notes: notes().map { Diagnostic.Note($0.message, at: sources.position(of: $0.range)) })
    found.append((range, diagnostic))
  }

  mutating func add(_ error: SyntaxError, source: UInt32) {
    func range(_ start: Int, _ end: Int) -> SourceRange {
      SourceRange(
        source: source, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: end))
    }
    add(
      "syntax", error.message, at: range(error.start, error.end), suggestion: error.suggestion,
      notes: error.unclosed.map { [("It is opened here.", range($0, $0 + 1))] } ?? [])
  }

  /// Adds what another collector found in later sources. Its suggestions are limited separately.
  mutating func add(_ other: DiagnosticCollector) {
    var shown = counts
    for (range, diagnostic) in other.found {
      shown[diagnostic.severity, default: 0] += 1
      if shown[diagnostic.severity, default: 0] <= Self.maximumCount {
        found.append((range, diagnostic))
      } else {
        suppressedCount += 1
      }
    }
    counts.merge(other.counts, uniquingKeysWith: +)
    warningCounts.merge(other.warningCounts, uniquingKeysWith: +)
    suppressedCount += other.suppressedCount
  }

  /// All findings in the order of the sources and the positions in them.
  func finish() -> Diagnostics {
    let order = found.indices.sorted {
      let (first, second) = (found[$0].range, found[$1].range)
      return (first.source, first.start, $0) < (second.source, second.start, $1)
    }
    var diagnostics = order.map { found[$0].diagnostic }
    if suppressedCount > 0 {
      diagnostics.append(
        Diagnostic(
          severity: .note, code: "tooMany", message: "\(suppressedCount) more are not shown."))
    }
    var result = Diagnostics(diagnostics)
    result.unlistedErrorCount = max(0, counts[.error, default: 0] - Self.maximumCount)
    return result
  }
}

/// `Did you mean "a", "b" or "c"?` with the closest candidates; nil if none is close.
package func didYouMean(_ name: String, among candidates: some Sequence<String>) -> String? {
  let closest = closestNames(to: name, among: candidates)
  return closest.isEmpty ? nil : "Did you mean \(alternatives(closest))?"
}

/// `"a", "b" or "c"`.
func alternatives(_ names: [String]) -> String {
  let others = names.dropLast().map(quoted).joined(separator: ", ")
  return (others.isEmpty ? "" : others + " or ") + names.suffix(1).map(quoted).joined()
}

/// Up to three candidates within an edit distance of a third of the name, the closest first.
///
/// Only the first candidates are compared: more than any real schema has, fewer than a hostile one
/// can have.
private func closestNames(to name: String, among candidates: some Sequence<String>) -> [String] {
  let longestCompared = 100
  let mostCompared = 10_000
  let length = name.utf8.count
  guard length <= longestCompared else { return [] }
  let limit = (length + 1) / 3
  var found: [(name: String, distance: Int)] = []
  for candidate in candidates.prefix(mostCompared)
  where abs(candidate.utf8.count - length) <= limit {
    let distance = editDistance(name, candidate, limit: limit)
    if distance <= limit { found.append((candidate, distance)) }
  }
  found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
  return found.prefix(3).map(\.name)
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two names;
/// more than `limit` if it is more. Names that differ only in letter case are 1 apart.
// Safe: the texts and the rows are valid until the table is computed; the rows are three of
// `width`.
private func editDistance(_ first: String, _ second: String, limit: Int) -> Int {
  if first == second { return 0 }
  var first = first
  var second = second
  return first.withUTF8 { first in
    second.withUTF8 { second in
      guard let firstBase = first.baseAddress, let secondBase = second.baseAddress else {
        return max(first.count, second.count)
      }
      let width = second.count + 1
      return unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { rows in
        // The capacity is at least three, so there is a base address.
        let distance = unsafe EditDistance(
          first: firstBase, firstCount: first.count, second: secondBase,
          secondCount: second.count, rows: rows.baseAddress!
        ).compute(limit: limit)
        return max(distance, 1)
      }
    }
  }
}

/// The table of an edit distance, of which three rows are needed at a time. It uses unsafe pointers
/// because a misspelt name is compared with all others, also in debug builds.
// Safe: `editDistance` owns the memory; rows and columns stay below the counts, plus one for
// `rows`.
@safe private struct EditDistance {
  let first: UnsafePointer<UInt8>
  let firstCount: Int
  let second: UnsafePointer<UInt8>
  let secondCount: Int
  /// Three rows of `secondCount + 1` numbers.
  let rows: UnsafeMutablePointer<Int>

  func compute(limit: Int) -> Int {
    let width = secondCount &+ 1
    var beforePrevious = unsafe rows
    var previous = unsafe rows + width
    var current = unsafe rows + 2 &* width
    var column = 0
    while column < width {
      unsafe previous[column] = column
      column &+= 1
    }
    var row = 0
    while row < firstCount {
      unsafe current[0] = row &+ 1
      var smallest = row &+ 1
      column = 0
      while column < secondCount {
        let isSame = matches(row, column)
        var cost = unsafe previous[column] &+ (isSame ? 0 : 1)
        if unsafe previous[column &+ 1] &+ 1 < cost { cost = unsafe previous[column &+ 1] &+ 1 }
        if unsafe current[column] &+ 1 < cost { cost = unsafe current[column] &+ 1 }
        if row > 0, column > 0, !isSame, matches(row, column &- 1), matches(row &- 1, column),
          unsafe beforePrevious[column &- 1] &+ 1 < cost
        {
          cost = unsafe beforePrevious[column &- 1] &+ 1
        }
        unsafe current[column &+ 1] = cost
        if cost < smallest { smallest = cost }
        column &+= 1
      }
      if smallest > limit { return limit &+ 1 }
      unsafe (beforePrevious, previous, current) = unsafe (previous, current, beforePrevious)
      row &+= 1
    }
    return unsafe previous[secondCount]
  }

  /// Whether two letters are the same except for their case.
  private func matches(_ row: Int, _ column: Int) -> Bool {
    let a = unsafe first[row]
    let b = unsafe second[column]
    return a == b || (a ^ b == 0x20 && (a | 0x20) &- 0x61 < 26)
  }
}

/// Untrusted text in quotes, suitable for a message: shortened, with an escape for every character
/// that could move the cursor, end the line or reorder the text.
package func quoted(_ text: String) -> String {
  let limit = 60
  if text.utf8.count <= limit { return "\"\(escaped(text))\"" }
  let scalars = text.unicodeScalars
  let kept = scalars.prefix(limit + 1)
  guard kept.count > limit else { return "\"\(escaped(text))\"" }
  return "\"\(escaped(String(String.UnicodeScalarView(kept.dropLast()))))…\""
}

/// The text with control, format, line separating and unassigned characters as `\u{…}`.
package func escaped(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if isPrintable(scalar) {
      result.unicodeScalars.append(scalar)
    } else {
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
  return result
}

func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
  return switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
    false
  default: true
  }
}
