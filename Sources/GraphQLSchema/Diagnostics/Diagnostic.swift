/// Something found in a document, schema or request, as a value. `description` renders it.
public struct Diagnostic: Error, Sendable, Equatable {
  /// How grave a diagnostic is.
  public enum Severity: String, Sendable {
    case error, warning, note
  }

  /// A further place that explains the diagnostic, e.g. the first of two definitions.
  public struct Note: Sendable, Equatable {
    /// What is to be said of the place.
    public var message: String
    /// The place; nil if there is none.
    public var location: SourceLocation?

    /// Makes one from its parts.
    public init(_ message: String, at location: SourceLocation? = nil) {
      self.message = message
      self.location = location
    }
  }

  /// How grave it is.
  public var severity: Severity
  /// A stable name of what was violated, e.g. `syntax` or `FieldsNonEmpty`.
  public var code: String
  /// One or two sentences without line breaks.
  public var message: String
  /// Where it is; nil if it is about no place in particular.
  public var location: SourceLocation?
  /// What could be done, as a question or sentence: `Did you mean "Product"?`
  public var suggestion: String?
  /// Further places that explain it.
  public var notes: [Note]

  /// Makes one from its parts.
  public init(
    severity: Severity = .error, code: String, message: String, at location: SourceLocation? = nil,
    suggestion: String? = nil, notes: [Note] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.location = location
    self.suggestion = suggestion
    self.notes = notes
  }
}

/// All that was found in one run; thrown where a result could not be made.
public struct Diagnostics: Error, Sendable, Equatable {
  /// In the order of the sources and of the places in them.
  public var elements: [Diagnostic]

  /// Makes one from its parts.
  public init(_ elements: [Diagnostic]) { self.elements = elements }

  /// Those that keep a result from being made.
  public var errors: [Diagnostic] { elements.filter { $0.severity == .error } }
}

/// A place in a source, with what is needed to show it.
public struct SourceLocation: Sendable, Equatable {
  /// The source's name.
  public var source: String
  /// 1-based.
  public var line: Int
  /// 1-based, in Unicode scalar values.
  public var column: Int
  /// The line at that place, cut around it if long.
  public var excerpt: Excerpt?

  /// Makes one from its parts.
  public init(source: String, line: Int, column: Int, excerpt: Excerpt? = nil) {
    self.source = source
    self.line = line
    self.column = column
    self.excerpt = excerpt
  }

  /// One line of a source and the part of it that is meant.
  public struct Excerpt: Sendable, Equatable {
    /// Harmless to print: control and directional characters are replaced by spaces.
    public var text: String
    /// Unicode scalars of `text` before the marked part.
    public var markStart: Int
    /// Unicode scalars of the marked part, at least 1.
    public var markLength: Int

    /// Makes one from its parts.
    public init(text: String, markStart: Int, markLength: Int) {
      self.text = text
      self.markStart = markStart
      self.markLength = markLength
    }
  }
}
