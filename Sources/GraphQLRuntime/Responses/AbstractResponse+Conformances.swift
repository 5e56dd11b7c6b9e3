import Foundation
import GraphJSON

/// Objects are coded as JSON by the response names, as they arrived. Numbers keep their value, but not their notation:
/// `1.0` may become `1`.
extension GraphQL.AbstractResponse: Codable {
  /// - Throws: `EncodingError` for an object of a store, which leads to others; use the store's `json(of:key:)`.
  public func encode(to encoder: any Encoder) throws {
    guard document.links == nil else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "an object of a store cannot be encoded; use the store's json(of:key:)")
      )
    }
    try document.json.json(at: index).encode(to: encoder)
  }
}

// An initialiser of the class would be one that every subclass with initialisers has to repeat.
extension GraphQL.ResponseReading {
  /// Decodes the object and checks it against the schema. Any field may be missing.
  ///
  /// - Throws: `DecodingError`, with a ``GraphQL/SchemaViolation``, for a field that the type does not have, and for a
  ///   value of another type.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(GraphQL.SchemaViolation) {
      try self.init(responseJSON: json)
    } catch {
      throw DecodingError.dataCorrupted(error, in: decoder)
    }
  }
}

extension GraphQL.ResponseReading {
  /// An object with values by response names.
  package init(responseJSON json: JSON) throws(GraphQL.SchemaViolation) {
    self.init(_handle: try GraphQL.ResponseHandle(checking: json, as: Self.self))
  }
}

extension GraphQL.ResponseHandle {
  /// An object that was created from JSON, after a check against the schema.
  init(
    checking json: JSON, as type: GraphQL.AbstractResponse.Type
  ) throws(GraphQL.SchemaViolation) {
    try self.init(checking: Array(json.description.utf8), as: type)
  }

  /// An object that was created from a text, after a check against the schema.
  init(
    checking bytes: [UInt8], as type: GraphQL.AbstractResponse.Type
  ) throws(GraphQL.SchemaViolation) {
    let info = type.schema?.type(of: type)
    func violation(_ message: String) -> GraphQL.SchemaViolation {
      GraphQL.SchemaViolation(
        typeName: info?.name ?? "\(type)", fieldName: "", path: [], message: message)
    }
    let json: JSONDocument
    do throws(JSONError) { json = try JSONDocument(parsing: bytes) } catch {
      throw violation("\(error)")
    }
    let root = JSONDocument.rootIndex
    guard json.kind(at: root) == .object else {
      throw violation("expected an object, found \(json.kind(at: root).noun)")
    }
    if let schema = type.schema, let info {
      var checker = GraphQL.FieldsChecker(json, schema: schema)
      try checker.check(root, type: info)
    }
    self.init(
      document: GraphQL.ResponseDocument(
        GraphQL.ParsedSource(json: json, root: root, operation: nil), schema: type.schema),
      index: root)
  }
}

/// Two objects are equal if they are read as the same class and have the same JSON: the selected fields under their
/// response names, in any order. Errors and the operation do not count.
///
/// Objects of one response are compared by their place first, others by their bytes, so comparing a large response
/// with an equal one takes as long as reading its text once. Values are compared as they arrived: `1` and `1.0`
/// differ, and two texts of one date. An object of a store has all stored fields, and an object to which it leads
/// is compared by its key.
extension GraphQL.AbstractResponse: Hashable {
  public static func == (left: GraphQL.AbstractResponse, right: GraphQL.AbstractResponse) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    let (mine, theirs) = (left.document, right.document)
    if mine === theirs, left.index == right.index { return true }
    return mine.json.hasSameContent(at: left.index, as: theirs.json, at: right.index)
  }

  /// Hashes the values of the object itself, not those of objects and lists in it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    document.json.hashContent(at: index, into: &hasher)
  }
}

extension GraphQL.AbstractResponse: CustomReflectable {
  /// No children: the object is shown by its JSON. The properties lead to plans and caches that other threads change
  /// while a mirror reads them.
  public final var customMirror: Mirror {
    Mirror(self, children: [], displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}
