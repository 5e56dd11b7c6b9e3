import GraphJSON
import GraphQLExecution
public import GraphQLRuntime
import GraphQLSchema

/// Completes a draft with values of an endpoint, without a request.
struct DraftCompletion {
  private let service: MockService
  private let type: ObjectType
  private let members: JSON.Object

  /// - Parameter typeName: the type on which the selections are; nil for that of the draft.
  init<Object>(
    _ draft: GraphQL.Draft<Object>, of endpoint: MockEndpoint, on typeName: String? = nil
  ) throws(FixtureError) {
    service = endpoint.service
    do throws(GraphQL.SchemaViolation) { members = try draft.checked() } catch {
      throw FixtureError(["\(error)"])
    }
    let schema = service.schema
    let names = [members["__typename"]?.text ?? draft.typeName, typeName].compactMap(\.self)
    let types = schema.type(named: names[0]).map(schema.possibleTypes) ?? []
    let possible = types.filter { type in
      names.allSatisfy { schema.isSubtype(type.name, of: $0) }
    }
    let key = MockHash.key(service.options.seed, names[0])
    guard !possible.isEmpty else {
      let place = typeName.map { ", to which fields of \(quoted($0)) apply" } ?? ""
      throw FixtureError(["The endpoint's schema has no object type \(quoted(names[0]))\(place)."])
    }
    type = possible.chosen(by: key)
  }

  /// The object with the fields of a fragment.
  func json(
    fragment name: String, of text: String, _ variables: JSON.Object
  ) throws(FixtureError) -> JSON {
    let key = MockHash.key(service.options.seed, type.name)
    let object = service.object(type, key: key, members: members, nil)
    return try json(
      DocumentExecutor.execute(
        fragment: name, of: parsed(text), in: service.schema, on: type,
        source: .object(object, type: type.name), variables: variables,
        with: MockResolver(service: service).resolvedWithoutResolvers))
  }

  /// The root object with the fields of an operation.
  func json(
    operation text: String, _ variables: JSON.Object
  ) throws(FixtureError) -> JSON {
    let root = service.root(type.name, members)
    return try json(
      DocumentExecutor.execute(
        operationOf: parsed(text), in: service.schema, source: .object(root, type: type.name),
        variables: variables, with: MockResolver(service: service).resolvedWithoutResolvers))
  }

  /// The object with the scalars and enum values of itself and of the objects in the draft. The draft's values of
  /// fields that require arguments are added as they are.
  func json() throws(FixtureError) -> JSON {
    let selection = DraftSelection(schema: service.schema).text([members], type)
    let text = "fragment Draft on \(type.name) \(selection)"
    return try json(fragment: "Draft", of: text, [:]).merging(.object(members))
  }

  private func parsed(_ text: String) throws(FixtureError) -> Document {
    do throws(Diagnostics) {
      return try Document(parsing: Source(name: "draft", text: text))
    } catch {
      throw FixtureError(["\(error)"])
    }
  }

  private func json(_ result: ExecutionResult) throws(FixtureError) -> JSON {
    guard result.errors.isEmpty, case .object(var object)? = result.data else {
      throw FixtureError(
        result.errors.map { error in
          [error.path?.description, error.message].compactMap(\.self).joined(separator: ": ")
        })
    }
    object["__typename"] = .string(type.name)
    return .object(object)
  }
}

/// The selection of the scalars and enum values of the objects in a draft.
struct DraftSelection {
  let schema: ServiceSchema

  /// - Parameter objects: those at one place, which may have different members.
  func text(_ objects: [JSON.Object], _ type: NamedType) -> String {
    guard case .object(let type) = type else { return abstract(objects) }
    return text(objects, type)
  }

  func text(_ objects: [JSON.Object], _ type: ObjectType) -> String {
    var selections = ["__typename"]
    for field in type.fields where !field.arguments.contains(where: \.isRequired) {
      guard let named = schema.namedType(of: field.type) else { continue }
      if named.isLeafType {
        selections.append(field.name)
      } else {
        let values = objects.compactMap { $0[field.name] }.flatMap(\.objects)
        if !values.isEmpty { selections.append(field.name + " " + text(values, named)) }
      }
    }
    return "{ \(selections.joined(separator: " ")) }"
  }

  private func abstract(_ objects: [JSON.Object]) -> String {
    let parts = Dictionary(grouping: objects) { $0["__typename"]?.text ?? "" }
      .sorted { $0.key < $1.key }
      .compactMap { name, objects -> String? in
        guard case .object(let type)? = schema.type(named: name) else { return nil }
        return "... on \(name) \(text(objects, type))"
      }
    return "{ \((["__typename"] + parts).joined(separator: " ")) }"
  }
}

extension JSON {
  /// The objects in a value: itself, or those of a list.
  fileprivate var objects: [JSON.Object] {
    switch self {
    case .object(let object): [object]
    case .array(let items): items.flatMap(\.objects)
    default: []
    }
  }

  /// The value with the members of another one in addition.
  fileprivate func merging(_ other: JSON) -> JSON {
    switch (self, other) {
    case (.object(var object), .object(let others)):
      for member in others {
        object[member.key] = object[member.key]?.merging(member.value) ?? member.value
      }
      return .object(object)
    case (.array(let items), .array(let others)) where items.count == others.count:
      return .array(zip(items, others).map { $0.merging($1) })
    default: return other
    }
  }
}

extension GraphQL.TypedFragment {
  /// An object of the fragment with the values of a draft. An endpoint generates the values that the draft does not
  /// have, from its seed and its fixtures: for previews and tests.
  ///
  /// ```swift
  /// let card = try ProductCard(
  ///   GraphQL.Draft<Storefront.Product> { $0[\.title] = "Straw hat" }, completedBy: endpoint)
  /// ```
  ///
  /// Nothing is sent or waited for: the endpoint's resolvers are not called, and its faults do not count.
  ///
  /// - Parameter variables: the values of the variables that the fragment uses, by their names.
  /// - Throws: ``FixtureError`` for a problem of the draft, and if the fragment does not fit the object or the
  ///   endpoint's schema.
  public init<Object>(
    _ draft: GraphQL.Draft<Object>, completedBy endpoint: MockEndpoint,
    variables: GraphQL.JSON = .object([:])
  ) throws(FixtureError) {
    let completion = try DraftCompletion(draft, of: endpoint, on: Self._document().typeName)
    let json = try completion.json(
      fragment: Self._document().nameText, of: Self._document().sentText, variables.members)
    try self.init(completed: json, variables)
  }
}

extension GraphQL.SelectedDocument where Self: GraphQL.ResponseRoot {
  /// The data of the operation with the values of a draft of the root type. An endpoint generates the values that the
  /// draft does not have, from its seed and its fixtures: for previews and tests.
  ///
  /// ```swift
  /// let data = try ProductListQuery.Data(
  ///   GraphQL.Draft<Storefront.QueryRoot>(), completedBy: endpoint, variables: ["first": 3])
  /// ```
  ///
  /// Nothing is sent or waited for: the endpoint's resolvers are not called, and its faults do not count.
  ///
  /// - Parameter variables: the values of the operation's variables, by their names.
  /// - Throws: ``FixtureError`` for a problem of the draft or of a variable, and if the operation does not fit the
  ///   endpoint's schema.
  public init<Object>(
    _ draft: GraphQL.Draft<Object>, completedBy endpoint: MockEndpoint,
    variables: GraphQL.JSON = .object([:])
  ) throws(FixtureError) {
    let completion = try DraftCompletion(draft, of: endpoint, on: Self._document().typeName)
    let json = try completion.json(operation: Self._document().sentText, variables.members)
    try self.init(completed: json, variables)
  }
}

extension GraphQL.SelectedDocument {
  fileprivate init(completed json: JSON, _ variables: JSON) throws(FixtureError) {
    do throws(GraphQL.FragmentMismatch) {
      try self.init(json: json, variables: variables)
    } catch {
      throw FixtureError(["\(error)"])
    }
  }
}

extension GraphQL.ResponseReading {
  /// The object with the values of a draft. An endpoint generates the values that the draft does not have, from its seed
  /// and its fixtures: for previews and tests.
  ///
  /// ```swift
  /// let fragment = Storefront.ProductQuery.fragment("Card") {
  ///   $0.title().priceRange { $0.min { $0.amount() } }
  /// }
  /// let product = try Storefront.Product(
  ///   GraphQL.Draft { $0[\.title] = "Straw hat" }, completedBy: endpoint, selecting: fragment)
  /// ```
  ///
  /// Nothing is sent or waited for: the endpoint's resolvers are not called, and its faults do not count.
  ///
  /// - Parameter fragment: what the object has.
  /// - Throws: ``FixtureError`` for a problem of the draft, and if the fragment does not fit the object or the
  ///   endpoint's schema.
  public init<Query>(
    _ draft: GraphQL.Draft<Self>, completedBy endpoint: MockEndpoint,
    selecting fragment: GraphQL.Fragment<Query>
  ) throws(FixtureError) {
    let text: String
    do throws(GraphQL.InvalidQuery) { text = try fragment.text() } catch {
      throw FixtureError(error.problems.map(\.description))
    }
    let completion = try DraftCompletion(draft, of: endpoint, on: fragment.typeName)
    try self.init(completed: try completion.json(fragment: fragment.name, of: text, [:]))
  }

  /// The object with the values of a draft. An endpoint generates the scalars and enum values that the draft and its
  /// objects do not have, from its seed and its fixtures: for previews and tests. Fields that require arguments are
  /// not generated, and neither are objects; ``init(_:completedBy:selecting:)`` has both.
  ///
  /// Nothing is sent or waited for: the endpoint's resolvers are not called, and its faults do not count.
  ///
  /// - Throws: ``FixtureError`` for a problem of the draft, and if its type is not in the endpoint's schema.
  public init(
    _ draft: GraphQL.Draft<Self>, completedBy endpoint: MockEndpoint
  ) throws(FixtureError) {
    try self.init(completed: try DraftCompletion(draft, of: endpoint).json())
  }

  private init(completed json: JSON) throws(FixtureError) {
    do throws(GraphQL.SchemaViolation) {
      try self.init(responseJSON: json)
    } catch {
      throw FixtureError(["\(error)"])
    }
  }
}

extension JSON {
  fileprivate var members: JSON.Object {
    if case .object(let members) = self { members } else { [:] }
  }
}

extension Fixtures {
  /// Adds an object to the list of all objects of its type. Fields that the draft does not have are generated.
  ///
  /// - Throws: `GraphQL.SchemaViolation`: the first problem of the draft.
  public mutating func append<Object>(
    _ draft: GraphQL.Draft<Object>
  ) throws(GraphQL.SchemaViolation) {
    objects[draft.typeName, default: []].append(try draft.checked())
  }

  /// Gives all objects of a type the values of a draft: for types with one object, such as the root of queries.
  ///
  /// - Throws: `GraphQL.SchemaViolation`: the first problem of the draft.
  public mutating func share<Object>(
    _ draft: GraphQL.Draft<Object>
  ) throws(GraphQL.SchemaViolation) {
    values[draft.typeName] = .object(try draft.checked())
  }
}
