import GraphJSON

/// An error of a response (section 7.1.6): a request error, or an execution error at a position.
///
/// A resolver that throws one decides about its message and extensions; locations and path are
/// filled in where it leaves them out.
public struct ResponseError: Error, Sendable, Equatable {
  /// A place in the document; line and column count from 1.
  public struct Location: Sendable, Hashable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  public var message: String
  /// What the error belongs to in the document; empty if it belongs to no place.
  public var locations: [Location]
  /// The position of the value that could not be made; nil for request errors.
  public var path: ResponsePath?
  public var extensions: JSONObject

  public init(
    _ message: String, locations: [Location] = [], path: ResponsePath? = nil,
    extensions: JSONObject = [:]
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = extensions
  }
}

extension ResponseError {
  /// A violation of chapter 5, or a syntax error, as a request error.
  public init(_ diagnostic: Diagnostic) {
    self.init(
      [diagnostic.message, diagnostic.suggestion].compactMap(\.self).joined(separator: " "),
      locations: diagnostic.location.map { [Location(line: $0.line, column: $0.column)] } ?? [])
  }

  /// The form in which the error is part of a response; absent entries are left out.
  public var json: JSON {
    var object: JSONObject = ["message": .string(message)]
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
