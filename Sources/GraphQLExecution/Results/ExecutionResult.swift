import GraphJSON
import GraphQLSchema

/// The response to one request, or to one event of a subscription (section 7.1).
public struct ExecutionResult: Sendable, Equatable {
  /// The result of the operation, in the order of the selections; `.null` if an error propagated to
  /// the root; nil after a request error, when nothing was executed.
  public var data: JSON?
  /// In the order in which they were raised.
  public var errors: [ExecutionError]
  /// Additional information from a service; left out of the response if empty.
  public var extensions: JSON.Object

  /// Creates a result.
  public init(data: JSON?, errors: [ExecutionError] = [], extensions: JSON.Object = [:]) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
  }

  /// The result of a request that was not executed (section 7.1.2).
  public init(requestErrors errors: [ExecutionError]) {
    self.init(data: nil, errors: errors)
  }

  /// The response map. `errors` comes first, as the specification advises, and only if there are
  /// any; `data` is absent after a request error.
  public var json: JSON {
    var object = JSON.Object()
    if !errors.isEmpty { object["errors"] = .array(errors.map(\.json)) }
    if let data { object["data"] = data }
    if !extensions.isEmpty { object["extensions"] = .object(extensions) }
    return .object(object)
  }
}

/// An error of a response (section 7.1.6): a request error, or an execution error at a position.
///
/// A resolver that throws one determines its message and extensions; missing locations and a
/// missing path are filled in.
public struct ExecutionError: Error, Sendable, Equatable {
  /// A position in the document; line and column count from 1.
  public struct Location: Sendable, Hashable {
    /// From 1 on.
    public var line: Int
    /// From 1 on, in Unicode scalar values.
    public var column: Int

    /// The position at a line and column.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// For developers, a sentence.
  public var message: String
  /// The positions in the document; empty if there are none.
  public var locations: [Location]
  /// The position of the missing value; nil for request errors.
  public var path: ResponsePath?
  /// Additional information from a service, such as a `code`; left out of the response if empty.
  public var extensions: JSON.Object

  /// Creates an error; the execution adds locations and path.
  public init(
    _ message: String, locations: [Location] = [], path: ResponsePath? = nil,
    extensions: JSON.Object = [:]
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = extensions
  }
}

extension ExecutionError {
  /// A violation of chapter 5, or a syntax error, as a request error.
  public init(_ diagnostic: Diagnostic) {
    self.init(
      [diagnostic.message, diagnostic.suggestion].compactMap(\.self).joined(separator: " "),
      locations: diagnostic.position.map { [Location(line: $0.line, column: $0.column)] } ?? [])
  }

  /// The form of the error in a response; absent entries are left out.
  public var json: JSON {
    var object: JSON.Object = ["message": .string(message)]
    if !locations.isEmpty {
      object["locations"] = .array(
        locations.map { ["line": JSON($0.line), "column": JSON($0.column)] })
    }
    if let path {
      object["path"] = .array(
        path.elements.map {
          switch $0 {
          case .name(let name): .string(name)
          case .index(let index): JSON(index)
          }
        })
    }
    if !extensions.isEmpty { object["extensions"] = .object(extensions) }
    return .object(object)
  }
}

/// A position in a response (section 7.1.6): response names and list indices from the root.
public struct ResponsePath: Sendable, Hashable {
  /// One step of a path.
  public enum Element: Sendable, Hashable {
    /// A response name: a field's alias or else its name.
    case name(String)
    /// A position in a list, from 0 on.
    case index(Int)
  }

  /// The steps from the root; empty for the root itself.
  public var elements: [Element]

  /// A path of those steps.
  public init(_ elements: [Element] = []) { self.elements = elements }
}

extension ResponsePath: CustomStringConvertible {
  /// The text form of the path: `products.nodes[0].title`.
  public var description: String {
    var text = ""
    for element in elements {
      switch element {
      case .name(let name): text += text.isEmpty ? name : "." + name
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  /// Reads the form that ``description`` writes; nil if the text is not a path.
  public init?(_ text: String) {
    self.init()
    for (position, part) in text.split(separator: ".", omittingEmptySubsequences: false)
      .enumerated()
    {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      if pieces[0].isEmpty, position > 0 || !text.isEmpty { return nil }
      if pieces[0].contains("]") { return nil }
      if !pieces[0].isEmpty { elements.append(.name(String(pieces[0]))) }
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let index = Int(piece.dropLast()), index >= 0 else { return nil }
        elements.append(.index(index))
      }
    }
  }
}

extension ResponsePath: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A literal that is not a path is a programming error.
  public init(stringLiteral text: String) {
    guard let path = ResponsePath(text) else { preconditionFailure("not a response path: \(text)") }
    self = path
  }
}
