import GraphJSON

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
