extension GraphQL {
  /// A selection that is stored in a value and can be spread in several places (specification: 2.8
  /// Fragments).
  ///
  /// ```swift
  /// let card = Storefront.ProductQuery.fragment("ProductCard") { $0.id().title() }
  /// let query = Storefront.buildQuery {
  ///   $0.products(first: 3) { $0.nodes { $0.spread(card) } }
  /// }
  /// ```
  public struct Fragment<Query: AbstractQuery>: Sendable {
    let definition: FragmentDefinition

    /// The fragment's name in the document.
    public var name: String { definition.name }

    /// The type on which the fragment is.
    package var typeName: String? { definition.type?.name }
  }

  /// A named fragment, frozen.
  final class FragmentDefinition: Sendable {
    let name: String
    let schema: SchemaTable?
    /// nil when the builder class belongs to no schema.
    let type: TypeInfo?
    let selectionSet: SelectionSet
    let problems: [InvalidQuery.Problem]

    init(
      name: String, schema: SchemaTable?, type: TypeInfo?, selectionSet: SelectionSet,
      problems: [InvalidQuery.Problem]
    ) {
      self.name = name
      self.schema = schema
      self.type = type
      self.selectionSet = selectionSet
      self.problems = problems
    }

    /// The fragment without its selections, used in place of an invalid one.
    var emptied: FragmentDefinition {
      FragmentDefinition(
        name: name, schema: schema, type: type,
        selectionSet: SelectionSet(type: type, entries: []), problems: problems)
    }

    func with(_ problems: [InvalidQuery.Problem]) -> FragmentDefinition {
      FragmentDefinition(
        name: name, schema: schema, type: type, selectionSet: selectionSet, problems: problems)
    }
  }

  /// The parts of ``AbstractQuery`` for extensions that need the concrete builder class.
  public protocol FragmentBuilder: AbstractQuery {}
}

extension GraphQL.AbstractQuery: GraphQL.FragmentBuilder {
  /// Spreads a fragment here. Its type and this one must have an object type in common
  /// (specification: 5.5.2.3 Fragment Spread Is Possible).
  @discardableResult
  public final func spread<Query>(_ fragment: GraphQL.Fragment<Query>) -> Self {
    describe(GraphQL.SelectionDetails(kind: .spread(fragment.definition), name: ""))
    return self
  }
}

extension GraphQL.FragmentBuilder {
  /// Stores a selection as a named fragment on this type.
  ///
  /// - Parameters:
  ///   - name: the fragment's name, one per document.
  ///   - build: selects the fields; it runs once, immediately.
  public static func fragment(_ name: String, _ build: (Self) -> Void) -> GraphQL.Fragment<Self> {
    let query = Self()
    build(query)
    let type = schema?.type(of: Self.self)
    var merger = GraphQL.SelectionMerger(schema: schema, path: ["...\(name)"])
    if !GraphQL.Name.isValid(name) || name == "on" {
      merger.report("`\(name)` is not a fragment name: use letters, digits and `_`, but not `on`")
    }
    if type == nil {
      merger.report("a fragment is made from a generated builder class, which names its type")
    }
    let set = merger.selectionSet([GraphQL.SelectionList(query)], of: type, isRoot: true)
    return GraphQL.Fragment(
      definition: GraphQL.FragmentDefinition(
        name: name, schema: schema, type: type, selectionSet: set, problems: merger.problems))
  }
}

extension GraphQL {
  /// Visits selections, and each fragment once: the number of paths to a fragment can double with each fragment
  /// that uses another one twice.
  struct SelectionWalk {
    private var visited: Set<ObjectIdentifier> = []

    /// The fields of this level.
    mutating func fields(of set: SelectionSet) -> [SelectionSet.Field] {
      set.entries.flatMap { entry -> [SelectionSet.Field] in
        switch entry {
        case .field(let field): [field]
        case .inlineFragment(_, _, let set): fields(of: set)
        case .spread(let fragment, _):
          visit(fragment) ? fields(of: fragment.selectionSet) : []
        }
      }
    }

    /// Whether all fields pass the test, those of nested objects too.
    mutating func allSatisfy(_ set: SelectionSet, _ test: (SelectionSet.Field) -> Bool) -> Bool {
      !contains(set, type: { _ in false }, field: { !test($0) })
    }

    /// Whether a type of the selections passes the test, or a field, also of nested objects.
    mutating func contains(
      _ set: SelectionSet, type: (String) -> Bool,
      field: (SelectionSet.Field) -> Bool = { _ in false }
    ) -> Bool {
      if let name = set.type?.name, type(name) { return true }
      for entry in set.entries {
        let inner: SelectionSet?
        switch entry {
        case .field(let selected):
          if field(selected) { return true }
          inner = selected.selectionSet
        case .inlineFragment(let condition, _, let set):
          if type(condition) { return true }
          inner = set
        case .spread(let fragment, _): inner = visit(fragment) ? fragment.selectionSet : nil
        }
        if let inner, contains(inner, type: type, field: field) { return true }
      }
      return false
    }

    private mutating func visit(_ fragment: FragmentDefinition) -> Bool {
      visited.insert(ObjectIdentifier(fragment)).inserted
    }
  }
}
