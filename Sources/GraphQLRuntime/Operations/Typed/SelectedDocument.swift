import Foundation
import GraphJSON

extension GraphQL {
  /// An object of a fragment, or the data of an operation. Only generated
  /// structs adopt it, as a ``TypedFragment`` or a ``SelectedRoot``.
  ///
  /// It has the functions of `Codable`, but does not refine it: two conformances for each document are 8 % of the
  /// size of generated code. A type that is coded declares it: `extension ProductCard: Codable {}`.
  public protocol SelectedDocument: SelectedObject {
    /// The text of the document. A function, since a static property would export a descriptor.
    static func _document() -> DocumentText
  }
}

extension GraphQL.SelectedDocument {
  /// Creates an object of a fragment, or the data of an operation, from JSON as a service would send it: for previews
  /// and tests.
  ///
  /// ```swift
  /// let card = try ProductCard(json: ["title": "Straw hat", "vendor": "Plume", "id": "1"])
  /// ```
  ///
  /// The JSON has every field of the document under its response name, also the key (such as `id`) that the
  /// generator adds to each object, and `__typename` where the document selects objects of an interface or union.
  ///
  /// - Parameters:
  ///   - json: the object.
  ///   - variables: the values of the variables that the document uses, by their names. They count for `@include` and
  ///     `@skip`.
  /// - Throws: ``GraphQL/FragmentMismatch`` with the first field that is missing or has another type.
  public init(
    json: GraphQL.JSON, variables: GraphQL.JSON = .object([:])
  ) throws(GraphQL.FragmentMismatch) {
    let reader = GraphQL.FragmentReader(Self._document(), variables: variables)
    var typeName = reader.typeName
    if case .string(let name)? = json["__typename"] { typeName = name }
    func mismatch(_ problem: String) -> GraphQL.FragmentMismatch {
      GraphQL.FragmentMismatch(
        fragment: reader.name, typeName: typeName, problems: [problem])
    }
    guard case .object = json else { throw mismatch("the JSON is not an object") }
    guard reader.applies(toObjectsOf: typeName) else {
      throw mismatch("`__typename` must be an object type to which the fragment applies")
    }
    do {
      self = try reader.read(
        Self.self, from: Self.text(json, typeName: typeName), typeName: typeName)
    } catch {
      throw mismatch("\(error)")
    }
  }

  /// The object with the name of its type.
  private static func text(_ json: JSON, typeName: String) -> [UInt8] {
    var object = json
    if json["__typename"] == nil, case .object(let members) = json {
      let name = JSON.Object.Member(key: "__typename", value: .string(typeName))
      object = .object(JSON.Object([name] + members.members))
    }
    var writer = JSONWriter()
    writer.value(object)
    return writer.finish()
  }
}

// Fragments and the data of operations are coded as JSON by the response names: the object as it arrived, which may
// have the fields of other selections as well. Decoding checks it as a response is checked.
extension GraphQL.SelectedDocument {
  /// Encodes the object, for types that are declared to be `Codable`.
  public func encode(to encoder: any Encoder) throws {
    try JSON(parsing: Array(fields.debugDescription.utf8)).encode(to: encoder)
  }

  /// Decodes the object. If the document has `@include` or `@skip` with variables, their values are those of the
  /// `userInfo` under `CodingUserInfoKey.graphQLVariables`, a ``GraphQL/JSON`` object. Without a value, the fields count
  /// as selected.
  ///
  /// - Throws: `DecodingError`, with a ``GraphQL/FragmentMismatch``, for a field that is missing or has another type.
  public init(from decoder: any Decoder) throws {
    let variables = decoder.userInfo[.graphQLVariables] as? JSON ?? .object([:])
    let json = try JSON(from: decoder)
    do throws(GraphQL.FragmentMismatch) {
      try self.init(json: json, variables: variables)
    } catch {
      throw DecodingError.dataCorrupted(error, in: decoder)
    }
  }
}

extension CodingUserInfoKey {
  /// The values of the variables with which a typed operation or fragment is decoded: a ``GraphQL/JSON`` object. They
  /// count for `@include` and `@skip`.
  public static let graphQLVariables = CodingUserInfoKey(rawValue: "graphQLVariables")!
}

extension GraphQL.SelectedDocument {
  /// Creates an object of a fragment, or the data of an operation, from a draft: for previews and tests.
  ///
  /// - Parameters:
  ///   - draft: has every field of the document, under its response name.
  ///   - variables: the values of the variables that the document uses, by their names.
  /// - Throws: ``GraphQL/FragmentMismatch`` with the first field that is missing, or the first problem of the draft.
  public init<Object>(
    _ draft: GraphQL.Draft<Object>, variables: GraphQL.JSON = .object([:])
  ) throws(GraphQL.FragmentMismatch) {
    var members: JSON.Object
    do {
      members = try draft.checked()
    } catch {
      throw GraphQL.FragmentMismatch(
        fragment: "\(Self.self)", typeName: draft.typeName, problems: ["\(error)"])
    }
    if members["__typename"] == nil { members["__typename"] = .string(draft.typeName) }
    try self.init(json: .object(members), variables: variables)
  }
}
