import GraphJSON
import GraphQLSchema

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
