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
