#if !ONE_MODULE
  import GraphJSON
#endif

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

/// A named text: a schema file or a document.
public struct Source: Sendable {
  /// The name of the text in diagnostics, usually a path.
  public let name: String
  /// The bytes followed by zero bytes, so that a scanner may read past the end, and JSON is parsed
  /// without a copy.
  let terminatedBytes: [UInt8]
  /// Offsets at which lines begin; the first one begins after a byte order mark, which editors do not show.
  private let lineStarts: [UInt32]

  /// A source with the bytes of a file. They need not be valid UTF-8; the parser reports invalid
  /// bytes. Bytes with spare capacity and a single owner are not copied.
  public init(name: String, bytes: consuming [UInt8]) {
    self.name = name
    JSONDocument.pad(&bytes)
    terminatedBytes = bytes
    lineStarts = Source.lineStarts(in: terminatedBytes)
  }

  /// A source with a text in memory.
  public init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// The number of bytes.
  public var count: Int { terminatedBytes.count - Self.padding }

  /// The bytes as they were given.
  public var bytes: ArraySlice<UInt8> { terminatedBytes.dropLast(Self.padding) }

  private static var padding: Int { JSONDocument.padding }
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Lines end with LF, CR or CR LF (section 2.1.2).
  // Safe: the array keeps its bytes valid during the call; words end before `end`, where a zero
  // byte is.
  private static func lineStarts(in bytes: [UInt8]) -> [UInt32] {
    var starts: [UInt32] = [bytes.starts(with: byteOrderMark) ? UInt32(byteOrderMark.count) : 0]
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let end = buffer.count - padding
      var index = 0
      while index < end {
        // Eight bytes at a time: lines are long, in introspection results a whole file long.
        while index &+ 8 <= end, unsafe !WordScan.hasLineEnd(WordScan.load(base + index)) {
          index &+= 8
        }
        guard index < end else { break }
        let byte = unsafe base[index]
        index &+= 1
        if byte > 0x0D { continue }
        if unsafe byte == 0x0A || (byte == 0x0D && base[index] != 0x0A) {
          starts.append(UInt32(truncatingIfNeeded: index))
        }
      }
    }
    return starts
  }
}

extension Source {
  /// The 1-based line and column of a byte offset.
  ///
  /// A column counts Unicode scalar values, so that `é` and `🚀` are one column each; a tab is one, and a byte order
  /// mark at the start none.
  public func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
    let offset = max(0, min(offset, count))
    let line = lineIndex(at: offset)
    let start = Int(lineStarts[line])
    return (line + 1, scalarCount(in: start..<max(start, offset)) + 1)
  }

  /// How many Unicode scalars start in a range. Introspection results usually have one line, so a
  /// position may be a megabyte from its start: eight bytes are counted together.
  // Safe: the range is in the text; a word is loaded only if eight of its bytes are left.
  private func scalarCount(in range: Range<Int>) -> Int {
    unsafe terminatedBytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var count = 0
      var index = range.lowerBound
      while index &+ 8 <= range.upperBound {
        unsafe count &+= WordScan.scalarCount(WordScan.load(base + index))
        index &+= 8
      }
      while index < range.upperBound {
        if unsafe base[index] & 0xC0 != 0x80 { count &+= 1 }
        index &+= 1
      }
      return count
    }
  }

  /// The byte range of a 1-based line without its line terminator.
  func lineRange(_ line: Int) -> Range<Int> {
    let start = Int(lineStarts[line - 1])
    var end = line < lineStarts.count ? Int(lineStarts[line]) : count
    while end > start, terminatedBytes[end - 1] == 0x0A || terminatedBytes[end - 1] == 0x0D {
      end -= 1
    }
    return start..<end
  }

  /// The index of the last line that starts at or before the offset.
  private func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

extension Source {
  /// Checks that the bytes are UTF-8 (section 2.1) and few enough for a range.
  // Safe: the array keeps its bytes valid during the call; the last, a zero byte, is not counted.
  func checkEncoding() throws(SyntaxError) {
    guard count < UInt32.max else {
      throw SyntaxError(message: "A source cannot be larger than 4 GB.", start: 0, end: 0)
    }
    if let error = wideEncodingError() { throw error }
    let invalid = unsafe terminatedBytes.withUnsafeBufferPointer { buffer in
      // The buffer is never empty: it ends with zero bytes.
      unsafe Self.firstInvalidByte(UnsafeRawPointer(buffer.baseAddress!), count: count)
    }
    guard let invalid else { return }
    throw SyntaxError(
      message: "The source is not valid UTF-8.", start: invalid, end: invalid + 1)
  }

  /// The error for a source in UTF-16 or UTF-32.
  func wideEncodingError() -> SyntaxError? {
    wideEncoding.map {
      SyntaxError(
        message: "The source is not valid UTF-8.", start: 0, end: 1,
        suggestion: "It seems to be \($0): save it as UTF-8.")
    }
  }

  /// UTF-16 or UTF-32, as shells and editors on Windows write files: with a byte order mark or, since
  /// GraphQL and JSON start with ASCII characters, with zero bytes. nil for any other source.
  package var wideEncoding: String? {
    let start = Array(bytes.prefix(4))
    guard start.count >= 2 else { return nil }
    let (third, fourth) = start.count == 4 ? (start[2], start[3]) : (1, 1)
    switch (start[0], start[1], third, fourth) {
    case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...), (1..., 0, 0, 0): return "UTF-32"
    case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _), (0, 1..., _, _), (1..., 0, _, _): return "UTF-16"
    default: return nil
    }
  }

  /// The bytes for a parser of JSON, which does not accept a byte order mark: it becomes white space,
  /// so that positions remain.
  package var bytesOfJSON: [UInt8] {
    let mark = Self.byteOrderMark
    guard bytes.starts(with: mark) else { return Array(bytes) }
    return Array(repeating: 0x20, count: mark.count) + bytes.dropFirst(mark.count)
  }

  /// The offset of the first byte that is not part of well-formed UTF-8 (Unicode, table 3-7).
  // Safe: a word is loaded only if eight bytes are left, a byte only below `count`.
  private static func firstInvalidByte(_ base: UnsafeRawPointer, count: Int) -> Int? {
    var index = 0
    while index < count {
      while index &+ 8 <= count,
        unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080
          == 0
      {
        index &+= 8
      }
      guard index < count else { return nil }
      let length = unsafe sequenceLength(base + index, available: count &- index)
      if length == 0 { return index }
      index &+= length
    }
    return nil
  }

  /// The length of the well-formed sequence at a position, 0 if there is none.
  // Safe: an offset is read only if `available` includes it.
  private static func sequenceLength(_ base: UnsafeRawPointer, available: Int) -> Int {
    func byte(_ offset: Int) -> UInt8 { unsafe base.load(fromByteOffset: offset, as: UInt8.self) }
    func continues(_ offset: Int) -> Bool { byte(offset) & 0xC0 == 0x80 }
    let first = byte(0)
    if first < 0x80 { return 1 }
    if first < 0xC2 || first > 0xF4 { return 0 }
    if first < 0xE0 { return available >= 2 && continues(1) ? 2 : 0 }
    guard available >= 3, continues(1), continues(2) else { return 0 }
    let second = byte(1)
    if first < 0xF0 {
      let isOverlong = first == 0xE0 && second < 0xA0
      let isSurrogate = first == 0xED && second > 0x9F
      return isOverlong || isSurrogate ? 0 : 3
    }
    guard available >= 4, continues(3) else { return 0 }
    let isOverlong = first == 0xF0 && second < 0x90
    let isBeyondUnicode = first == 0xF4 && second > 0x8F
    return isOverlong || isBeyondUnicode ? 0 : 4
  }
}

/// A range of bytes in one of the sources of a document or schema.
///
/// A position is not part of a node's meaning. All ranges compare equal, so that `==` of two nodes
/// compares their content. Compare `source`, `start` and `end` to compare positions.
public struct SourceRange: Sendable, Hashable {
  /// The source, as an index into `ServiceSchema.sources`; 0 for a document parsed alone.
  public var source: UInt32
  /// Offset of the first byte.
  public var start: UInt32
  /// Offset after the last byte.
  public var end: UInt32

  /// Creates a source range.
  public init(source: UInt32, start: UInt32, end: UInt32) {
    self.source = source
    self.start = start
    self.end = end
  }

  /// The range of nodes that were not read from a source: built-in definitions, nodes created in
  /// code.
  public static var none: SourceRange { SourceRange(source: .max, start: 0, end: 0) }

  /// Whether this range points into a source.
  public var isKnown: Bool { source != .max }

  public static func == (lhs: SourceRange, rhs: SourceRange) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
