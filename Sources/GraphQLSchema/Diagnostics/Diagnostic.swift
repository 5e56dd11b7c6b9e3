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
