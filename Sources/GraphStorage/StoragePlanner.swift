import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// Creates the plans of one operation, or of whole types. For one task at a time.
  package final class StoragePlanner {
    package let schema: SchemaTable
    /// Key fields by type, if they differ from the schema table's.
    private let keys: [String: [String]]
    private let paging: PagingNames
    private var whole: [Int: StoragePlan] = [:]
    /// The operation that was used last, as its responses often follow each other.
    private var last: (content: FrozenSelection, plan: StoragePlan)?

    package init(
      schema: SchemaTable, keys: [String: [String]], paging: PagingNames = PagingNames()
    ) {
      self.schema = schema
      self.keys = keys
      self.paging = paging
    }

    /// The plan of an operation's root object; nil for a raw operation.
    package func plan<Root>(of operation: Operation<Root>) -> StoragePlan? {
      let content = operation.content
      if let last, last.content === content { return last.plan }
      guard content.schema === schema, let type = content.selectionSet.type else { return nil }
      let plan = plan([content.selectionSet], of: type)
      last = (content, plan)
      return plan
    }

    /// A plan with every field of the type with that name, without arguments; for the coordinate of
    /// a connection, under which its pages are stored, the plan of the connection's type.
    package func plan(ofType name: String) -> StoragePlan? {
      (schema.type(named: name)
        ?? schema.objectTypeName(ofField: name).flatMap { schema.type(named: $0) })
        .map { plan([], of: $0) }
    }

    /// The plan of a selection on objects of a type; nil if the schema has no such type.
    package func plan(_ set: SelectionSet, ofType name: String) -> StoragePlan? {
      schema.type(named: name).map { plan([set], of: $0) }
    }

    func plan(_ sets: [SelectionSet], of type: TypeInfo) -> StoragePlan {
      if sets.isEmpty, let known = whole[type.index] { return known }
      let names = schema.keyFields(of: type, overrides: keys)
      var fields: [StorageField]
      let isRoot = schema.root(.query)?.name == type.name
      if sets.isEmpty {
        fields = type.fields.map { field($0, isOfEntity: isRoot || !names.isEmpty) }
      } else {
        let collected = CollectedFields(sets, of: type, in: schema).fields
        let hasKey =
          !names.isEmpty
          && names.allSatisfy { name in
            collected.contains { $0.name == name && $0.arguments.isEmpty && $0.rawArguments == nil }
          }
        fields = collected.map { field in
          self.field(
            field, isOfEntity: isRoot || hasKey, isPossible: type.isAbstract && !field.isRequired)
        }
      }
      let keyFields = names.compactMap { name in
        fields.first { $0.name == name && $0.storageKey == Array(name.utf8) }?.responseName
      }
      let plan = StoragePlan(
        typeName: type.name, isObjectType: type.kind == .object, fields: fields,
        keyFields: names.isEmpty || keyFields.count < names.count ? nil : keyFields)
      if sets.isEmpty { whole[type.index] = plan }
      return plan
    }

    private func field(
      _ field: CollectedField, isOfEntity: Bool, isPossible: Bool
    ) -> StorageField {
      let isPaged =
        isOfEntity && field.rawArguments == nil && isPaged(field.info) && !isWithoutNodes(field)
      let arguments =
        isPaged ? field.arguments.filter { !paging.all.contains($0.name) } : field.arguments
      return StorageField(
        responseName: field.key, name: field.name,
        storageKey: StorageKey.text(
          field.name, arguments, raw: field.rawArguments, field.directives),
        info: field.info, sets: field.sets, page: isPaged ? Page(field.arguments, paging) : nil,
        isPossible: isPossible, isStreamed: field.directives.contains(where: \.isStream),
        planner: self)
    }

    private func field(_ field: FieldInfo, isOfEntity: Bool) -> StorageField {
      StorageField(
        responseName: Array(field.name.utf8), name: field.name, storageKey: field.name, info: field,
        sets: [], page: isOfEntity && isPaged(field) ? Page() : nil, isPossible: false,
        isStreamed: false, planner: self)
    }

    /// Whether a page of a connection is selected, and none of its nodes. It has no place between other pages, so it is
    /// an ordinary value. Without an argument for the page, its key would be that of the connection.
    private func isWithoutNodes(_ field: CollectedField) -> Bool {
      guard let info = field.info, let type = schema.type(of: info),
        field.arguments.contains(where: { paging.all.contains($0.name) })
      else { return false }
      let names = Set(CollectedFields(field.sets, of: type, in: schema).fields.map(\.name))
      let hasNodes = names.contains("nodes") || names.contains("edges")
      return hasNodes ? Page(field.arguments, paging).count == 0 : names.contains("pageInfo")
    }

    /// Whether the field is a connection that can be requested page by page. A connection of an
    /// embedded object cannot, as it has no key.
    private func isPaged(_ field: FieldInfo?) -> Bool {
      guard let field, let type = schema.type(of: field), type.isConnection,
        field.type.wrapping.isSingle
      else { return false }
      return field.arguments.contains { paging.all.contains($0.name) }
    }
  }
}

extension GraphQL.SchemaTable {
  /// The fields that identify objects of `type`; empty if they have no key.
  func keyFields(of type: GraphQL.TypeInfo, overrides: [String: [String]]) -> [String] {
    if let names = overrides[type.name] { return names }
    return type.attributes["key"].map { $0.split(separator: ",").map(String.init) } ?? []
  }

  /// The attributes in the schema table for storing objects of the type: `policy`, `maxAge`,
  /// `delete`, `append`.
  package func storageAttributes(ofType name: String) -> [String: String] {
    type(named: name)?.attributes ?? [:]
  }

  /// The names of the key fields of the type; empty if its objects have no key.
  package func keyFields(ofType name: String, overrides: [String: [String]]) -> [String] {
    type(named: name).map { keyFields(of: $0, overrides: overrides) } ?? []
  }
}

extension GraphQL.Operation {
  /// Whether the root object of the response is stored: that of a query is always the same object.
  package var _isQuery: Bool { kind == .query }
}
