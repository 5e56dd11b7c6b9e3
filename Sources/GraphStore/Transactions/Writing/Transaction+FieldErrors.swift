import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Keeps the errors of a response with their fields, and deletes those of fields that arrived. A
  /// response without errors costs one check of a table that is nearly always empty.
  func keepErrors<Root>(
    of response: GraphQL.Response<Root>, at root: Int, in json: JSONDocument,
    _ plan: GraphQL.StoragePlan, _ arrived: GraphQL.ArrivedValues?, isQuery: Bool
  ) throws(Graph.StoreError) {
    let known = try fieldErrors
    guard !response.errors.isEmpty || !known.isEmpty else { return }
    var walk = FieldErrorWalk(
      json: json, errors: response.errors, data: root, known: known, arrived: arrived)
    walk.object(
      root, plan, in: isQuery ? GraphQL.EntityKey(typeName: plan.typeName, key: "") : nil, path: [])
    try write(walk.changed)
  }

  /// Deletes the errors of deleted entities.
  func forgetErrorsOfDeleted() throws(Graph.StoreError) {
    // The text is equivalent to the parsed record, and is already available.
    var gone: [GraphQL.EntityKey] = []
    for state in changed where state.record == nil { gone.append(state.key) }
    guard !gone.isEmpty else { return }
    let known = try fieldErrors
    guard !known.isEmpty else { return }
    try write(gone.filter { !known[$0].isEmpty }.map { ($0, [:]) })
  }

  /// Deletes a user's errors in memory.
  func forgetErrorsForLogout() {
    var kept = FieldErrors()
    for (key, errors) in memory.errors.entries {
      kept[key] = errors.filter { path, _ in staysAtLogout(path, of: key) }
    }
    memory.errors = kept
  }

  /// Deletes a user's errors in the file. They may belong to objects that are not stored otherwise,
  /// and an earlier version of the program may have written them, when a type had another policy.
  func deleteErrorsForLogout() throws(Graph.StoreError) {
    guard let connection else { return }
    let rows = try connection.rows("SELECT entity, field FROM field_error", []) {
      ($0.text(0), $0.text(1))
    }
    for (entity, field) in rows {
      if let key = GraphQL.EntityKey(entity), let path = FieldErrors.path(field),
        staysAtLogout(path, of: key)
      {
        continue
      }
      try connection.execute(
        "DELETE FROM field_error WHERE entity = ?1 AND field = ?2", [.text(entity), .text(field)])
    }
  }

  private func staysAtLogout(_ path: FieldErrors.Path, of key: GraphQL.EntityKey) -> Bool {
    !key.key.isEmpty && policies.policy(ofType: key.typeName).persistence == .persistent
      && planner.plan(ofType: GraphQL.EntityKey.policyTypeName(key.typeName)) != nil
      && !policies.isDeletedAtLogout(key.typeName)
      && path.first.map {
        !policies.leadsToUser(GraphQL.StorageKey.fieldName($0.text), of: key.typeName)
      } ?? true
  }
}

/// Searches a response for changes of its fields' errors. The recursion is as deep as the
/// operation's selection.
struct FieldErrorWalk {
  private struct Place: Hashable {
    let owner: GraphQL.EntityKey
    let path: FieldErrors.Path
  }

  private let json: JSONDocument
  /// The errors by the positions of the values that they explain.
  private var positions: [Int: FieldErrors.Entry] = [:]
  private let known: FieldErrors
  /// Only the errors of these values count; nil for all.
  private let arrived: GraphQL.ArrivedValues?
  private var isNew: Bool
  /// Whether the current value is part of a streamed list that is complete now.
  private var isCompleted = false
  /// Whether the current value is part of a page, see ``FieldErrors/Path``.
  private var isInPage = false
  private var reported: Set<Place> = []
  private var found: [GraphQL.EntityKey: [FieldErrors.Path: FieldErrors.Entry]] = [:]

  /// The entities whose errors have changed.
  var changed: [(key: GraphQL.EntityKey, errors: [FieldErrors.Path: FieldErrors.Entry])] {
    found.filter { known[$0.key] != $0.value }.map { ($0.key, $0.value) }
  }

  init(
    json: JSONDocument, errors: [GraphQL.ResponseError], data: Int, known: FieldErrors,
    arrived: GraphQL.ArrivedValues?
  ) {
    self.json = json
    self.known = known
    self.arrived = arrived
    isNew = arrived?.contains(data) ?? true
    for error in errors {
      for position in GraphQL.ErroredValues.positions(
        of: [error], in: json, data: data, arrived: arrived)
      {
        positions[position] = FieldErrors.Entry(
          message: error.message, extensions: error.extensions)
      }
    }
  }

  /// - Parameter owner: the entity that the object is, or is part of; nil if there is none.
  mutating func object(
    _ object: Int, _ plan: GraphQL.StoragePlan, in owner: GraphQL.EntityKey?,
    path: FieldErrors.Path
  ) {
    for field in plan.fields where !field.isTypename {
      let position = json.member(field.responseName, of: object)
      guard let position, mayHaveChanged(position) else { continue }
      let outer = (isNew, isCompleted, isInPage)
      isNew = isNew || arrived?.contains(position) == true
      isInPage = isInPage || (path.isEmpty && field.page != nil)
      self.field(
        position, field, in: owner,
        path: path + [ExactKey(String(decoding: field.storageKey, as: UTF8.self))])
      (isNew, isCompleted, isInPage) = outer
    }
  }

  private mutating func field(
    _ position: Int, _ field: GraphQL.StorageField, in owner: GraphQL.EntityKey?,
    path: FieldErrors.Path
  ) {
    let error = positions[position]
    var owner = owner
    if field.isStreamed, let arrived, json.kind(at: position) == .array {
      if arrived.isIncomplete(position) {
        // The list does not replace the stored one, but the objects in it are stored.
        if let owner, let error { note(error, of: Place(owner: owner, path: path)) }
        owner = nil
      } else if arrived.hasCompleted(position) {
        isCompleted = true
      }
    }
    if isNew || isCompleted, let owner {
      note(error, of: Place(owner: owner, path: path))
      if field.isList, error == nil, !isInPage {
        forgetElements(of: Place(owner: owner, path: path))
      }
    }
    // The elements of other lists of leaves have no errors.
    if field.isComposite || (field.isList && !positions.isEmpty) {
      value(position, field, in: owner, path: path)
    }
  }

  private func mayHaveChanged(_ value: Int) -> Bool {
    isNew || isCompleted || arrived?.mayChange(value) != false
  }

  /// Places that share a path: an error of one is not removed by the others.
  private mutating func note(_ error: FieldErrors.Entry?, of place: Place) {
    var errors = found[place.owner] ?? known[place.owner]
    if let error {
      errors[place.path] = error
      reported.insert(place)
    } else if !reported.contains(place) {
      errors[place.path] = nil
    }
    if !errors.isEmpty || !known[place.owner].isEmpty { found[place.owner] = errors }
  }

  /// A list is replaced with all that it contains.
  private mutating func forgetElements(of list: Place) {
    guard let errors = found[list.owner] ?? known.entries[list.owner] else { return }
    found[list.owner] = errors.filter { path, _ in
      path.count <= list.path.count || !path.starts(with: list.path)
        || reported.contains(Place(owner: list.owner, path: path))
    }
  }

  private mutating func value(
    _ value: Int, _ field: GraphQL.StorageField, in owner: GraphQL.EntityKey?,
    path: FieldErrors.Path
  ) {
    switch json.kind(at: value) {
    case .object where field.isComposite:
      let plan = field.plan(for: json, at: value)
      if let key = plan.key(of: json, at: value) {
        (isCompleted, isInPage) = (false, false)
        object(value, plan, in: key, path: [])
      } else {
        object(value, plan, in: owner, path: path)
      }
    case .array:
      var element = json.firstChild(of: value)
      var ordinal = 0
      while element < json.end(of: value) {
        let outer = (isNew, isCompleted, isInPage)
        isNew = isNew || arrived?.contains(element) == true
        if mayHaveChanged(element) {
          let path = isInPage ? path : path + [FieldErrors.step(ordinal)]
          if isNew || isCompleted, let owner, let error = positions[element] {
            note(error, of: Place(owner: owner, path: path))
          }
          self.value(element, field, in: owner, path: path)
        }
        (isNew, isCompleted, isInPage) = outer
        element = json.next(after: element)
        ordinal += 1
      }
    default: break
    }
  }
}
