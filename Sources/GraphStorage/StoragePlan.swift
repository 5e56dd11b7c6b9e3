import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// How objects of one type with one selection are stored.
  // Safe: only this plan owns the memory of `names`; its keys and texts are those of `fields`.
  @safe package final class StoragePlan {
    /// The parts of a field that are needed to store a value, without retaining a reference for
    /// each.
    // Safe: its text is the field's, which the plan keeps alive.
    @unsafe package struct Name: BitwiseCopyable {
      package let key: JSONKey
      /// ``StorageField/member``.
      package let member: UnsafeBufferPointer<UInt8>
      /// Whether the value is stored unchanged, as soon as it arrives.
      package let isLeaf: Bool
    }

    /// The name of the type; that of the field's abstract type if the object's own is unknown.
    package let typeName: String
    package let typeNameBytes: [UInt8]
    /// Whether the type is one of the schema's object types.
    package let isObjectType: Bool
    package let fields: [StorageField]
    /// The same in the same order; valid as long as the plan is alive.
    package let names: UnsafeBufferPointer<Name>
    /// The response names of the key fields; nil if objects have no key, or it is not selected.
    package let keyFields: [[UInt8]]?
    /// Whether two fields have one storage key: they were selected under two response names.
    package let hasRepeatedKeys: Bool
    /// A bit for each of the first 64 fields that is a list of objects, and not a connection.
    package let lists: UInt64
    /// The start of an object's record: its bracket and its type.
    package let opening: [UInt8]
    private let positions: [[UInt8]: Int]

    init(typeName: String, isObjectType: Bool, fields: [StorageField], keyFields: [[UInt8]]?) {
      self.typeName = typeName
      typeNameBytes = Array(typeName.utf8)
      self.isObjectType = isObjectType
      self.fields = fields
      let names = UnsafeMutableBufferPointer<Name>.allocate(capacity: fields.count)
      _ = unsafe names.initialize(
        from: fields.map {
          unsafe Name(
            key: $0.key, member: UnsafeBufferPointer($0.memberText),
            isLeaf: !$0.isComposite && !$0.isTypename && !$0.isStreamed)
        })
      unsafe self.names = UnsafeBufferPointer(names)
      self.keyFields = keyFields
      opening = Array("{\"__typename\":\"\(typeName)\"".utf8)
      hasRepeatedKeys = Set(fields.map(\.storageKey)).count < fields.count
      lists = fields.prefix(64).enumerated().reduce(into: 0) { lists, field in
        let isList = field.element.isList && field.element.isComposite && field.element.page == nil
        lists |= isList ? 1 << UInt64(field.offset) : 0
      }
      positions = Dictionary(
        fields.enumerated().map { ($1.responseName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    deinit { unsafe names.deallocate() }

    /// The field with that response name.
    package func position(of responseName: [UInt8]) -> Int? { positions[responseName] }

    /// The field for the key at `index`. The search starts at `hint`, as objects usually have their
    /// fields in the order of the plan, though some may be missing.
    // Safe: the caller keeps the document alive, and has the index from its tape.
    package func position(ofKeyAt index: Int, in json: JSONDocument, from hint: Int) -> Int? {
      let tape = unsafe json.memory
      var position = hint
      while position < min(fields.count, hint + 8) {
        if unsafe tape.matches(names[position].key, at: index) { return position }
        position += 1
      }
      return positions[Array(json.string(at: index).utf8)]
    }

    /// The key of the object at `index`; nil if one of its key fields is null or missing.
    package func key(of json: JSONDocument, at index: Int) -> EntityKey? {
      guard let keyFields, isObjectType else { return nil }
      return EntityKey(typeName: typeName, keyFields: keyFields, ofObjectAt: index, in: json)
    }
  }
}

extension GraphQL {
  /// One field of a ``StoragePlan``.
  // Safe: only this plan owns the memory of the key and of the member's text, and frees it.
  @safe package final class StorageField {
    /// The key in the response, UTF-8.
    package let responseName: [UInt8]
    /// The field's name in the schema.
    package let name: String
    /// The key in a record, UTF-8.
    package let storageKey: [UInt8]
    /// The key in a record as JSON, with the colon after it.
    package let member: [UInt8]
    /// ``member`` at a fixed address.
    let memberText: UnsafeMutableBufferPointer<UInt8>
    /// ``responseName``, for finding it in a response.
    package let key: JSONKey
    /// Whether the field is `__typename`.
    package let isTypename: Bool
    /// Whether only the service knows if the field is selected: the object has a type that the schema lacks, and the
    /// field is in a fragment on another interface or union.
    package let isPossible: Bool
    /// Whether the field's value is a list.
    package let isList: Bool
    /// Whether the schema allows null for the field.
    package let isNullable: Bool
    /// Whether the field's value is an object, or a list of objects.
    package let isComposite: Bool
    /// Whether the field's list may arrive in parts.
    package let isStreamed: Bool
    /// The selected page, if the field is a connection that is kept page by page.
    package let page: Page?
    /// nil for `__typename`.
    let info: FieldInfo?
    /// The nested selection: empty for leaves and for plans of whole types.
    let sets: [SelectionSet]
    private unowned let planner: StoragePlanner
    private var plans: [Int: StoragePlan] = [:]
    /// The plan that an object of a response used last.
    private var last: StoragePlan?
    /// Whether the objects in the field may have several types.
    package let isAbstract: Bool

    init(
      responseName: [UInt8], name: String, storageKey: String, info: FieldInfo?,
      sets: [SelectionSet], page: Page?, isPossible: Bool, isStreamed: Bool, planner: StoragePlanner
    ) {
      self.responseName = responseName
      self.isPossible = isPossible
      self.isStreamed = isStreamed
      key = JSONKey(responseName)
      self.name = name
      self.storageKey = Array(storageKey.utf8)
      var member: [UInt8] = []
      JSONWriter.appendString(storageKey, to: &member)
      member.append(UInt8(ascii: ":"))
      self.member = member
      unsafe memberText = .allocate(capacity: member.count)
      _ = unsafe memberText.initialize(from: member)
      self.info = info
      self.page = page
      isTypename = info == nil
      isList = info.map { !$0.type.wrapping.isSingle } ?? false
      isNullable = info.map { !$0.type.isNonNull } ?? false
      isComposite = if case .composite? = info?.named { true } else { false }
      self.sets = sets
      self.planner = planner
      isAbstract =
        if case .composite(let position)? = info?.named {
          planner.schema.type(at: position).isAbstract
        } else {
          false
        }
    }

    deinit {
      unsafe key.deallocate()
      unsafe memberText.deallocate()
    }

    /// The plan for the object at `index` of a response, for its own type.
    package func plan(for json: JSONDocument, at index: Int) -> StoragePlan {
      // The objects of a list nearly always have one type.
      if let last {
        if !isAbstract { return last }
        if let position = json.member("__typename", of: index),
          json.stringEquals(position, last.typeNameBytes)
        {
          return last
        }
      }
      let plan = plan(typeName: {
        guard let position = json.member("__typename", of: index),
          json.kind(at: position) == .string
        else { return nil }
        return json.string(at: position)
      })
      last = plan
      return plan
    }

    /// The plan for an object of the type with that name; the name is needed if the schema has an
    /// abstract type.
    package func plan(typeName: () -> String?) -> StoragePlan {
      guard case .composite(let position)? = info?.named else {
        preconditionFailure("the leaf `\(name)` has no plan")
      }
      let declared = planner.schema.type(at: position)
      var type = declared
      if declared.isAbstract, let name = typeName(),
        let concrete = planner.schema.type(named: name), concrete.kind == .object,
        planner.schema.applies(declared.name, to: concrete)
      {
        type = concrete
      }
      if let known = plans[type.index] { return known }
      let plan = planner.plan(sets, of: type)
      plans[type.index] = plan
      return plan
    }
  }
}

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
