import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Stores the objects of a response.
  ///
  /// Known objects with a key are updated and new ones are created; objects without a key become
  /// part of their owners. The root of a query is one object as well; those of mutations and
  /// subscriptions are not kept.
  ///
  /// - Parameter operation: the operation of `response`, built with the store's schema.
  /// - Throws: ``StoreError``, in particular `wrongSchema`.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    try checkOpen()
    guard let data = response.data else { return Graph.WriteSummary() }
    guard let plan = planner.plan(of: operation) else {
      throw Graph.StoreError(.wrongSchema, "the operation is not one of \(schema.name)")
    }
    return try write(response, data, plan, operation.kind)
  }

  /// Stores the objects of a mutation's response using the schema table alone, when the operation
  /// is no longer available: each member is treated as the field with its name.
  ///
  /// - Parameter rootType: the name of the schema's mutation type.
  /// - Throws: ``StoreError``: `invalidJSON` for values that do not have their fields' types.
  @discardableResult
  package func write(
    response: GraphQL.Response<GraphQL.AbstractResponse>, rootType: String
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    try checkOpen()
    guard let data = response.data else { return Graph.WriteSummary() }
    guard let plan = planner.plan(ofType: rootType) else {
      throw Graph.StoreError(.notAnEntity, "there is no type \(rootType)")
    }
    let (json, index) = data._stored
    let check = GraphQL.StorageCheck(schema: schema, json: json)
    if let problem = check.problem(of: index, typeName: rootType) {
      throw Graph.StoreError(.invalidJSON, "\(problem)", cause: problem)
    }
    return try write(response, data, plan, .mutation)
  }

  /// A mutation of which only the text is left; nil if the schema does not have all that it selects.
  package func mutation(
    _ document: String, name: String, variables: [UInt8]
  ) -> GraphQL.Operation<GraphQL.AbstractResponse>? {
    GraphQL.Operation(
      mutation: document, name: name.isEmpty ? nil : name, variables: variables, schema: schema)
  }

  /// Whether objects of a type may be named by another one: that type, or one of the object types of an interface or a
  /// union.
  package func isType(_ typeName: String, possibleFor name: String) -> Bool {
    typeName == name
      || schema.type(named: name).map { schema.possibleTypes(of: $0).contains(typeName) } ?? false
  }

  /// The key of the least nested object of a type in a response whose fields have no aliases. The type of an object may
  /// not have been selected: then all object types of an interface or a union whose key fields were selected need to have
  /// the same key.
  ///
  /// - Parameter response: the whole response, as JSON.
  package func key(
    ofType name: String, inResponse response: [UInt8]
  ) -> String? {
    guard let type = schema.type(named: name), let root = schema.root(.mutation),
      let json = try? JSONDocument(parsing: response),
      let data = json.member("data", of: JSONDocument.rootIndex)
    else { return nil }
    let possible = schema.possibleTypes(of: type)
    func key(of value: Int, _ typeName: String) -> String? {
      let types = typeName == name ? possible : possible.intersection([typeName])
      let keys = types.compactMap { type -> ExactKey? in
        let fields = policies.policy(ofType: type).key ?? []
        return fields.isEmpty
          ? nil
          : GraphQL.EntityKey(
            typeName: type, keyFields: fields.map { Array($0.utf8) }, ofObjectAt: value, in: json
          ).map { ExactKey($0.key) }
      }
      return Set(keys).count == 1 ? keys.first?.text : nil
    }
    var level = [(value: data, typeName: root.name)]
    while !level.isEmpty {
      var below: [(value: Int, typeName: String)] = []
      for (value, declared) in level {
        switch json.kind(at: value) {
        case .array:
          var element = json.firstChild(of: value)
          while element < json.end(of: value) {
            below.append((element, declared))
            element = json.next(after: element)
          }
        case .object:
          let stated = json.member("__typename", of: value).flatMap {
            json.kind(at: $0) == .string ? json.string(at: $0) : nil
          }
          let typeName = stated ?? declared
          if let key = key(of: value, typeName) { return key }
          var field = json.firstChild(of: value)
          while field < json.end(of: value) {
            let member = json.next(after: field)
            let coordinate = "\(typeName).\(json.string(at: field))"
            if let target = schema.objectTypeName(ofField: coordinate) {
              below.append((member, target))
            }
            field = json.next(after: member)
          }
        default: continue
        }
      }
      level = below
    }
    return nil
  }

  private func write<Root>(
    _ response: GraphQL.Response<Root>, _ data: Root, _ plan: GraphQL.StoragePlan,
    _ kind: GraphQL.OperationType
  ) throws(Graph.StoreError) -> Graph.WriteSummary {
    let (json, index) = data._stored
    let arrived = GraphQL.ArrivedValues(data._context, in: json, data: index)
    var normalizer = Normalizer(
      json: json, transaction: self,
      errored: GraphQL.ErroredValues.positions(
        of: response.errors, in: json, data: index, arrived: arrived),
      lists: policies.lists, isOneMoment: kind != .mutation,
      arrived: arrived, data: index)
    if kind == .query {
      try normalizer.entity(
        index, plan, GraphQL.EntityKey(typeName: plan.typeName, key: ""))
    } else {
      try normalizer.entities(below: index, plan)
    }
    let outcome = try normalizer.finish()
    var summary = outcome.summary
    // The server has decided, so no rule denies the deletion.
    if !outcome.dropped.isEmpty { summary.deleted = try delete(outcome.dropped, withThose: []) }
    try noteArrival(of: summary, unchanged: outcome.unchanged)
    try keepErrors(of: response, at: index, in: json, plan, arrived, isQuery: kind == .query)
    return summary
  }
}

extension Graph.Transaction {
  /// Records that a response has contained the entities of a write.
  ///
  /// - Parameter unchanged: the states of those that it has not changed.
  func noteArrival(of summary: Graph.WriteSummary, unchanged: [EntityState]) throws(Graph
    .StoreError)
  {
    let now = committed.now()
    if committed.file == nil || !policies.areAllStored {
      for keys in [summary.inserted, summary.updated, summary.unchanged] {
        for key in keys {
          let isInMemory = connection == nil ? true : try typeState(of: key.typeName).isTransient
          if isInMemory { memory.note(key, at: now) }
        }
      }
    }
    if let uses = committed.uses {
      for keys in [summary.inserted, summary.updated, summary.unchanged] {
        for key in keys { uses.note(key) }
      }
    }
    guard let connection else { return }
    // Rows of changed states are written with the time.
    for state in unchanged {
      let type = try typeState(of: state.key.typeName)
      guard !type.isTransient, state.isDue(at: now, resolution: type.resolution),
        let number = type.number
      else { continue }
      let statement = try connection.prepared(.noteArrival)
      statement.bind(number, at: 1)
      statement.bind(state.key.key, at: 2)
      statement.bind(now, at: 3)
      statement.bind(now - type.resolution, at: 4)
      try statement.runAndReset()
    }
  }
}
