import GraphQLRuntime
import GraphStorage

/// Combines the policies of types from the schema table and from a store's configuration.
struct PolicyResolver: Sendable {
  let schema: GraphQL.SchemaTable
  let overrides: [String: Graph.TypePolicy]
  /// The policy for types that are not named.
  private let fallback: Graph.TypePolicy?
  /// How the objects of types are kept that the configuration does not name.
  private var derived: [String: Graph.TypePolicy.Persistence] = [:]
  /// The types whose objects are kept in memory.
  private(set) var transientTypes: Set<String> = []
  /// The types whose objects a logout deletes: transient and sensitive ones.
  private(set) var userTypes: Set<String> = []

  init(schema: GraphQL.SchemaTable, overrides: [String: Graph.TypePolicy]) {
    self.schema = schema
    self.overrides = overrides.filter { $0.key != Graph.TypePolicy.others }
    fallback = overrides[Graph.TypePolicy.others]
    let named = names(with: "policy").filter { statedPersistence(ofType: $0) != nil }
    if let persistence = fallback?.persistence {
      for name in identifiedTypes where !named.contains(name) { derived[name] = persistence }
    }
    userTypes = named.union(derived.keys).filter { persistence(ofType: $0) != .persistent }
    transientTypes = userTypes.filter { persistence(ofType: $0) == .transient }
    guard !transientTypes.isEmpty else { return }
    let roots = schema.rootNames
    for name in schema.typesReached(onlyThrough: transientTypes)
    where !named.contains(name) && !roots.contains(name) && isIdentified(name) {
      derived[name] = .transient
      transientTypes.insert(name)
      userTypes.insert(name)
    }
  }

  /// The types whose objects have a key and are not roots. Other objects are parts of those that
  /// lead to them, and are kept with them unless they are named.
  private var identifiedTypes: [String] {
    let roots = schema.rootNames
    return schema.objectTypeNames.filter { !roots.contains($0) && isIdentified($0) }
  }

  private func isIdentified(_ name: String) -> Bool {
    !schema.keyFields(ofType: name, overrides: keys).isEmpty
  }

  /// Whether the type's objects have a key and are not roots.
  func isEntity(_ name: String) -> Bool {
    schema.storedKind(ofType: name) == .object && !schema.rootNames.contains(name)
      && isIdentified(name)
  }

  /// The configuration's policy for the type itself.
  private func statedPersistence(ofType name: String) -> Graph.TypePolicy.Persistence? {
    overrides[name]?.persistence
      ?? schema.storageAttributes(ofType: name)["policy"].flatMap(Graph.TypePolicy.Persistence.init)
  }

  private func persistence(ofType name: String) -> Graph.TypePolicy.Persistence {
    statedPersistence(ofType: name) ?? derived[name] ?? .persistent
  }

  /// Whether an object of the type, or a part of it, may have a link to one that is kept in memory.
  func leadsToTransient(_ name: String) -> Bool {
    schema.typeLeads(name, to: transientTypes) { !isIdentified($0) }
  }

  /// Whether one field may have a link to an object of `types`, or such an object as a part.
  func leads(_ field: String, of name: String, to types: Set<String>) -> Bool {
    schema.fieldLeads(field, of: name, to: types) { !isIdentified($0) }
  }

  /// Key fields that differ from those of the schema table.
  var keys: [String: [String]] { overrides.compactMapValues(\.key) }

  /// The policy of a type, with all defaults applied.
  func policy(ofType name: String) -> Graph.TypePolicy {
    let attributes = schema.storageAttributes(ofType: name)
    let override = overrides[name]
    return Graph.TypePolicy(
      key: override?.key ?? schema.keyFields(ofType: name, overrides: [:]),
      persistence: persistence(ofType: name),
      maximumAge: override?.maximumAge
        ?? attributes["maxAge"].flatMap(Int64.init).map { .seconds($0) } ?? fallback?.maximumAge,
      deleteRules: override?.deleteRules ?? Self.deleteRules(attributes),
      referrers: override?.referrers
        ?? attributes["referrers"].flatMap(Graph.TypePolicy.ReferrerRule.init) ?? .unlink,
      queryable: override?.queryable
        ?? attributes["queryable"].map { $0.split(separator: ",").map(String.init) } ?? [],
      inverses: override?.inverses ?? attributes["inverses"].map(Self.pairs) ?? [:])
  }

  static func deleteRules(
    _ attributes: [String: String]
  ) -> [String: Graph.TypePolicy.DeleteRule] {
    var rules: [String: Graph.TypePolicy.DeleteRule] = [:]
    for rule in [Graph.TypePolicy.DeleteRule.cascade, .deny, .noAction] {
      for field in attributes[rule.rawValue]?.split(separator: ",") ?? [] {
        rules[String(field)] = rule
      }
    }
    return rules
  }

  /// Splits `persons=club,captain=leads`.
  private static func pairs(_ text: String) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(separator: ",") {
      let names = pair.split(separator: "=")
      if names.count == 2 { pairs[String(names[0])] = String(names[1]) }
    }
    return pairs
  }

  /// How lists of a response change the stored ones, by `Type.field`.
  var lists: [String: Graph.JSONMapping.ListRule] {
    var lists: [String: Graph.JSONMapping.ListRule] = [:]
    let attributes: [(String, Graph.JSONMapping.ListRule)] = [
      ("append", .append), ("deleteOld", .replaceDeletingOld),
    ]
    for (attribute, rule) in attributes {
      for (name, fields) in schema.attribute(attribute) where overrides[name]?.lists == nil {
        for field in fields.split(separator: ",") { lists["\(name).\(field)"] = rule }
      }
    }
    for (name, policy) in overrides {
      for (field, rule) in policy.lists ?? [:] { lists["\(name).\(field)"] = rule }
    }
    return lists
  }

  /// The queryable fields by type; those of transient types, which are in no file, are not indexed.
  var indexes: [String: [FieldIndex]] {
    var found: [String: [FieldIndex]] = [:]
    for name in names(with: "queryable") {
      let policy = policy(ofType: name)
      guard let paths = policy.queryable, policy.persistence != .transient else { continue }
      let indexes = paths.compactMap { path in
        schema.leafKind(ofPath: path, inType: name).map { FieldIndex(path: path, kind: $0) }
      }
      if !indexes.isEmpty { found[name] = indexes }
    }
    return found
  }

  /// The relations with an inverse by type. One that is declared on one side applies to both.
  var relations: [String: [InverseRelation]] {
    var found: [String: Set<InverseRelation>] = [:]
    for name in names(with: "inverses") {
      for (field, inverse) in policy(ofType: name).inverses ?? [:] {
        guard let other = schema.objectTypeName(ofField: "\(name).\(field)"),
          schema.objectTypeName(ofField: "\(other).\(inverse)") == name
        else { continue }
        found[name, default: []].insert(InverseRelation(field: field, inverse: inverse))
        found[other, default: []].insert(InverseRelation(field: inverse, inverse: field))
      }
    }
    return found.mapValues { $0.sorted { $0.field < $1.field } }
  }

  /// The types that the configuration, the schema's or the store's, names.
  private func names(with attribute: String) -> Set<String> {
    Set(schema.typeNames(withAttribute: attribute)).union(overrides.keys)
  }
}
