import GraphJSON

// The text of a change in a file. Changes of only the operation's own object have the form in which the first
// versions of the queue wrote them.

extension Graph.StoreChange {
  /// The change as JSON.
  package var json: JSON {
    let steps = steps.compactMap(\.json)
    return steps.count == 1 ? steps[0] : .array(steps)
  }

  /// nil for JSON that this version cannot read.
  package init?(_ json: JSON) {
    let parts = if case .array(let parts) = json { parts } else { [json] }
    let steps = parts.compactMap(Step.init)
    guard steps.count == parts.count, !steps.isEmpty else { return nil }
    self.init(steps)
  }
}

extension Graph.StoreChange.Step {
  fileprivate var json: JSON? {
    switch self {
    case .create(let target, let fields): target.adding(to: ["create": fields])
    case .update(let target, let fields): target.adding(to: ["update": fields])
    case .delete(let target): target.adding(to: ["delete": .null])
    case .edit(let edit, let list):
      .object(
        JSON.Object(
          edit.json.members
            + [JSON.Object.Member(key: "of", value: .string(list.owner.description))]
            + list.json.members))
    case .invalid: nil
    }
  }

  fileprivate init?(_ json: JSON) {
    guard case .object(let object) = json, let first = object.members.first else { return nil }
    let target: Graph.StoreChange.Target
    if case .string(let text)? = object["object"] {
      guard let key = GraphQL.EntityKey(text) else { return nil }
      target = .key(key)
    } else {
      target = .object
    }
    switch first.key {
    case "create": self = .create(target, first.value)
    case "update": self = .update(target, first.value)
    case "delete": self = .delete(target)
    default:
      guard let edit = ListEdit(json), case .string(let owner)? = object["of"],
        let key = GraphQL.EntityKey(owner), let list = Graph.StoredList(json, of: key)
      else { return nil }
      self = .edit(edit, list)
    }
  }
}

extension Graph.StoreChange.Target {
  fileprivate func adding(to members: JSON.Object) -> JSON {
    guard case .key(let key) = self else { return .object(members) }
    var members = members
    members["object"] = .string(key.description)
    return .object(members)
  }
}

extension ListEdit {
  /// The edit as a JSON object.
  package var json: JSON.Object {
    let name =
      switch place {
      case .start: "prepend"
      case .end: "append"
      case .ordered: "insert"
      case .removed: "remove"
      }
    var object = JSON.Object()
    object[name] = .string(key.description)
    if case .ordered(let path, let isDescending) = place {
      object["by"] = .string(path)
      if isDescending { object["descending"] = true }
    }
    return object
  }

  package init?(_ json: JSON) {
    guard case .object(let object) = json, let first = object.members.first,
      case .string(let text) = first.value, let key = GraphQL.EntityKey(text)
    else { return nil }
    switch first.key {
    case "prepend": self.init(key: key, place: .start)
    case "append": self.init(key: key, place: .end)
    case "remove": self.init(key: key, place: .removed)
    case "insert":
      guard case .string(let path)? = object["by"] else { return nil }
      self.init(
        key: key, place: .ordered(by: path, isDescending: object["descending"] == .bool(true)))
    default: return nil
    }
  }
}

extension Graph.StoredList {
  /// The field and the arguments as members of a JSON object.
  package var json: JSON.Object {
    var object: JSON.Object = ["list": .string(field)]
    switch arguments {
    case .exactly(let arguments): object["arguments"] = arguments
    case .containing(let arguments): object["containing"] = arguments
    case .all: break
    }
    return object
  }

  package init?(_ json: JSON, of owner: GraphQL.EntityKey) {
    guard case .string(let field)? = json["list"] else { return nil }
    let arguments: Arguments =
      if let exact = json["arguments"] {
        .exactly(exact)
      } else if let some = json["containing"] {
        .containing(some)
      } else {
        .all
      }
    self.init(owner: owner, field: field, arguments: arguments)
  }
}

extension Graph.StoreChange {
  /// The change with other keys of objects, and other values in the fields.
  package func mapping<E: Error>(
    keys: (GraphQL.EntityKey) throws(E) -> GraphQL.EntityKey, fields: (JSON) throws(E) -> JSON
  ) throws(E) -> Graph.StoreChange {
    func target(_ target: Target) throws(E) -> Target {
      if case .key(let key) = target { .key(try keys(key)) } else { target }
    }
    var mapped: [Step] = []
    for step in steps {
      switch step {
      case .create(let object, let values):
        mapped.append(.create(try target(object), try fields(values)))
      case .update(let object, let values):
        mapped.append(.update(try target(object), try fields(values)))
      case .delete(let object): mapped.append(.delete(try target(object)))
      case .edit(let edit, let list):
        mapped.append(
          .edit(
            ListEdit(key: try keys(edit.key), place: edit.place),
            Graph.StoredList(
              owner: try keys(list.owner), field: list.field, arguments: list.arguments)))
      case .invalid: mapped.append(step)
      }
    }
    return Graph.StoreChange(mapped)
  }
}

// User content may be secret. It is not part of any text that a program prints or logs incidentally.

extension Graph.StoreChange: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The kinds of the changes, without their objects and fields.
  public var description: String {
    steps.map { step in
      switch step {
      case .create: "creation"
      case .update: "update"
      case .delete: "deletion"
      case .edit(let edit, let list):
        edit.place == .removed
          ? "removal from a list \(list.coordinate)" : "addition to a list \(list.coordinate)"
      case .invalid(let problem): "invalid change: \(problem)"
      }
    }.joined(separator: ", ")
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["change": description]) }
}

extension Graph.StoredList: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The coordinate of the field, without the object and the arguments.
  public var description: String { problem.map { "invalid list: \($0)" } ?? coordinate }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["list": description]) }

  fileprivate var coordinate: String { "\(owner.typeName).\(field)" }
}
