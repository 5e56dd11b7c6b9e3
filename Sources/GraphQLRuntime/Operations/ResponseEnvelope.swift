import GraphJSON

extension GraphQL {
  /// The top level of a response, read leniently if that loses nothing.
  struct ResponseEnvelope {
    /// The position of `data`'s object, nil when it is null or absent.
    let data: Int?
    let errors: [ResponseError]
    let extensions: JSON?

    init(_ json: JSONDocument) throws(ResponseFailure) {
      let root = JSONDocument.rootIndex
      guard json.kind(at: root) == .object else {
        throw .malformed("expected an object, found \(json.kind(at: root).noun)")
      }
      let data = json.member("data", of: root)
      let errors = json.member("errors", of: root)
      guard data != nil || errors != nil else {
        throw .malformed("there is neither `data` nor `errors`")
      }
      if let data, json.kind(at: data) != .object, !json.isNull(at: data) {
        throw .malformed("`data` is \(json.kind(at: data).noun)")
      }
      self.data = data.flatMap { json.isNull(at: $0) ? nil : $0 }
      self.errors = try Self.errors(json)
      extensions = Self.extensions(json)
    }

    /// - Parameter json: the object of the members other than `data`.
    init(membersAfterData json: JSONDocument) throws(ResponseFailure) {
      data = nil
      errors = try Self.errors(json)
      extensions = Self.extensions(json)
    }

    private init() {
      data = nil
      errors = []
      extensions = nil
    }

    /// The envelope of a response with nothing but `data`.
    static let empty = ResponseEnvelope()

    private static func errors(_ json: JSONDocument) throws(ResponseFailure) -> [ResponseError] {
      try json.member("errors", of: JSONDocument.rootIndex).map { index throws(ResponseFailure) in
        try errors(JSONNode(document: json, index: index))
      } ?? []
    }

    private static func extensions(_ json: JSONDocument) -> JSON? {
      // Not with `nil` in place of a value, which would be JSON's null.
      json.member("extensions", of: JSONDocument.rootIndex)
        .flatMap { json.isNull(at: $0) ? nil : $0 }
        .map { json.json(at: $0) }
    }

    private static func errors(_ node: JSONNode) throws(ResponseFailure) -> [ResponseError] {
      if node.isNull { return [] }
      guard let elements = node.array else { throw .malformed("`errors` is not a list") }
      return elements.map(error)
    }

    /// Old servers send no message, or other values instead of locations: the readable parts are
    /// kept.
    private static func error(_ node: JSONNode) -> ResponseError {
      ResponseError(
        message: node["message"]?.string ?? node.string ?? "the server gave no message",
        locations: (node["locations"]?.array ?? []).compactMap { location in
          guard let line = location["line"]?.int, let column = location["column"]?.int else {
            return nil
          }
          return ResponseError.Location(line: line, column: column)
        },
        path: (node["path"]?.array ?? []).compactMap { element in
          element.string.map(ResponsePathElement.key) ?? element.int.map(ResponsePathElement.index)
        },
        extensions: node["extensions"].flatMap { $0.isNull ? nil : $0.json })
    }
  }
}
