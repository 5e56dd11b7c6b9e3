import GraphJSON
public import GraphQLRuntime

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
