import GraphJSON

/// The field of a draft that a key path leads to.
struct DraftField {
  let path: GraphQL.FieldPath
  private let schema: GraphQL.SchemaTable?
  /// The type with the last field of the path; nil without a schema.
  private let owner: GraphQL.TypeInfo?
  /// The position of the first field on the path that is a list, if there is one before the last field.
  private let listPosition: Int?

  init(_ path: GraphQL.FieldPath, of type: GraphQL.AbstractResponse.Type) {
    self.path = path
    schema = type.schema
    var owner = schema?.type(of: type)
    var listPosition: Int?
    for (position, step) in path.steps.dropLast().enumerated() {
      let field = owner?.field(step.name)
      if let field, listPosition == nil, !field.type.wrapping.isSingle { listPosition = position }
      owner = field.flatMap { type.schema?.type(of: $0) }
    }
    self.owner = owner
    self.listPosition = listPosition
  }

  /// The value that nil writes: null, or none if the field is not nullable.
  var null: JSON? {
    let field = path.steps.last.flatMap { owner?.field($0.name) }
    return field?.type.isNonNull == true ? nil : .null
  }

  /// Checks that the path does not lead through a list, whose elements have no names.
  func checkPath() throws(GraphQL.SchemaViolation) {
    guard let listPosition else { return }
    let list = path.steps[listPosition]
    throw GraphQL.SchemaViolation(
      typeName: owner?.name ?? "", fieldName: responseName, path: problemPath,
      message: "the path leads through the list `\(list.responseName)`; write the list as a whole")
  }

  /// The path with which the problems of its values begin.
  var problemPath: [GraphQL.ResponsePathElement] { path.steps.map { .key($0.responseName) } }

  private var responseName: String { path.steps.last?.responseName ?? "" }

  /// The JSON of a value.
  func json(of value: Any) throws(GraphQL.SchemaViolation) -> JSON {
    var writer = GraphQL.FieldsWriter(typeName: owner?.name ?? "")
    do {
      return try JSON(parsing: try writer.bytes(of: value))
    } catch let problem as GraphQL.SchemaViolation {
      throw placed(problem)
    } catch {
      throw placed(writer.violation("\(error)"))
    }
  }

  /// Checks that a value has the type of the field.
  func check(_ value: JSON) throws(GraphQL.SchemaViolation) {
    guard let schema, let owner else { return }
    if path.steps.last?.name == "__typename" {
      guard case .string(let name) = value, schema.possibleTypes(of: owner).contains(name) else {
        throw placed(
          GraphQL.SchemaViolation(
            typeName: owner.name, fieldName: "__typename", path: [],
            message: "\(value) is not the name of an object type of \(owner.name)"))
      }
      return
    }
    do {
      let text = JSON.object([responseName: value]).description
      let json = try JSONDocument(parsing: text)
      var checker = GraphQL.FieldsChecker(json, schema: schema)
      try checker.check(JSONDocument.rootIndex, type: owner)
    } catch let problem as GraphQL.SchemaViolation {
      throw GraphQL.SchemaViolation(
        typeName: problem.typeName, fieldName: problem.fieldName,
        path: path.steps.dropLast().map { .key($0.responseName) } + problem.path,
        message: problem.message)
    } catch {
      throw placed(
        GraphQL.SchemaViolation(
          typeName: owner.name, fieldName: responseName, path: [], message: "\(error)"))
    }
  }

  /// The problem of a value, with the path to it.
  ///
  /// - Parameter index: of the element that has the problem, if the value is a list.
  func placed(
    _ problem: GraphQL.SchemaViolation, at index: Int? = nil
  ) -> GraphQL.SchemaViolation {
    GraphQL.SchemaViolation(
      typeName: problem.typeName,
      fieldName: problem.fieldName.isEmpty ? responseName : problem.fieldName,
      path: problemPath + (index.map { [.index($0)] } ?? []) + problem.path,
      message: problem.message)
  }
}

extension JSON.Object {
  /// The object with nothing but the value at the end of a path, and the types on it, so that a value of a large object
  /// is read without the others; nil if there is no such value.
  func part(with steps: ArraySlice<GraphQL.FieldPath.Step>) -> JSON.Object? {
    guard let step = steps.first, let value = self[step.responseName] else { return nil }
    var part = JSON.Object()
    part["__typename"] = self["__typename"]
    if steps.count == 1 {
      part[step.responseName] = value
    } else if case .object(let object) = value, let below = object.part(with: steps.dropFirst()) {
      part[step.responseName] = .object(below)
    } else {
      return nil
    }
    return part
  }

  /// Replaces or removes a value. Objects on the path are created when there is a value to write.
  mutating func write(_ value: JSON?, at steps: ArraySlice<GraphQL.FieldPath.Step>) {
    guard let step = steps.first else { return }
    let name = step.responseName
    guard steps.count > 1 else { return self[name] = value }
    var below: JSON.Object
    if case .object(let object)? = self[name] {
      below = object
    } else if value != nil {
      below = JSON.Object()
    } else {
      return
    }
    below.write(value, at: steps.dropFirst())
    self[name] = .object(below)
  }
}
