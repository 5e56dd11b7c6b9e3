import Foundation
import GraphJSON

extension Graph {
  /// A change of stored objects and of the lists that contain them: the expected effect of a mutation, or
  /// its effect after the response has arrived.
  ///
  /// ```swift
  /// let product = GraphQL.EntityKey(typeName: "Product", key: "gid://shop/Product/1")
  /// let change: Graph.StoreChange = [
  ///   .update(product, ["title": "Sun hat"]),
  ///   .append(product, to: .list(\Storefront.QueryRoot.products)),
  /// ]
  /// ```
  ///
  /// An array of changes is a change: its parts are applied in order. Fields have their names in the schema,
  /// and their values are JSON as the server would send it. Objects in them are identified by their keys; one
  /// that has other fields as well is changed too, or created. Lists in them are replaced as a whole, so use
  /// ``append(_:to:)`` and its relatives for one element. A field that is declared as the inverse of
  /// another one follows it.
  public struct StoreChange: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// One part of a change.
    package enum Step: Sendable, Hashable {
      case create(Target, JSON)
      case update(Target, JSON)
      case delete(Target)
      case edit(ListEdit, StoredList)
      /// A part that cannot be applied, and the reason.
      case invalid(String)
    }

    /// The object of a step.
    package enum Target: Sendable, Hashable {
      case key(GraphQL.EntityKey)
      /// The object for which an outbox queues the operation.
      case object
    }

    package let steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    /// The given changes in order.
    public init(arrayLiteral elements: StoreChange...) { self.init(elements) }

    /// The given changes in order.
    public init(_ changes: some Sequence<StoreChange>) { steps = changes.flatMap(\.steps) }

    /// Whether nothing changes.
    public var isEmpty: Bool { steps.isEmpty }

    /// The fields of the first object that is created or updated; nil if there is none.
    public var fields: GraphQL.JSON? {
      for step in steps {
        if case .create(_, let fields) = step { return fields }
        if case .update(_, let fields) = step { return fields }
      }
      return nil
    }

    /// A step for an object that may not have a key.
    init(_ object: some GraphQL.ObjectReference, _ step: (GraphQL.EntityKey) -> Step) {
      do throws(GraphQL.MissingKey) {
        self.init([step(try object._entityKey())])
      } catch {
        self.init([.invalid(error.description)])
      }
    }
  }
}

extension Graph.StoreChange {
  /// Creates an object with these fields and its key, or changes the fields of an existing one.
  ///
  /// A query whose list contains the object is complete only if the object has all fields that the query
  /// selects.
  ///
  /// - Parameter object: its key, such as a `Graph.TemporaryKey` if the server has not assigned one yet.
  public static func create(
    _ object: some GraphQL.ObjectReference, _ fields: GraphQL.JSON
  ) -> Self {
    Self(object) { .create(.key($0), fields) }
  }

  /// Changes these fields of an object. If the store does not have the object, nothing is created.
  public static func update(
    _ object: some GraphQL.ObjectReference, _ fields: GraphQL.JSON
  ) -> Self {
    Self(object) { .update(.key($0), fields) }
  }

  /// Deletes an object. Its type's delete rules apply to its relations, except `deny`. Every list loses it.
  public static func delete(_ object: some GraphQL.ObjectReference) -> Self {
    Self(object) { .delete(.key($0)) }
  }
}

// The object for which an outbox queues the operation. Elsewhere, these changes are errors.
extension Graph.StoreChange {
  /// Creates the object of a queued operation with these fields and its key.
  public static func create(_ fields: GraphQL.JSON) -> Self { Self([.create(.object, fields)]) }

  /// Changes these fields of the object of a queued operation. If the store does not have the object,
  /// nothing is created.
  public static func update(_ fields: GraphQL.JSON) -> Self { Self([.update(.object, fields)]) }

  /// Deletes the object of a queued operation.
  public static let delete = Self([.delete(.object)])
}

extension Graph.StoreChange {
  /// Adds an object at the end of a list, unless the list contains it.
  public static func append(
    _ object: some GraphQL.ObjectReference, to list: Graph.StoredList
  ) -> Self {
    edit(object, .end, list)
  }

  /// Adds an object at the start of a list, unless the list contains it.
  public static func prepend(
    _ object: some GraphQL.ObjectReference, to list: Graph.StoredList
  ) -> Self {
    edit(object, .start, list)
  }

  /// Adds an object to a list that is sorted by a field, unless the list contains it: before the first
  /// object with a greater value, or a lesser one if the list is descending.
  ///
  /// Values are compared as in a sorted fetch of the store: null and missing values first, texts byte by byte.
  public static func insert<Node: GraphQL.AbstractResponse, Value>(
    _ object: some GraphQL.ObjectReference, into list: Graph.StoredList,
    orderedBy path: KeyPath<Node, Value>, descending: Bool = false
  ) -> Self {
    do throws(GraphQL.OpaqueKeyPath) {
      let path = try GraphQL.FieldPath(path)
      return insert(object, into: list, orderedBy: path.description, descending: descending)
    } catch {
      return Self([.invalid("the order of `\(list.field)`: \(error)")])
    }
  }

  /// Adds an object to a list that is sorted by a field, if no class is generated for the objects.
  ///
  /// - Parameter path: the field, such as `title`, or `price.amount` for a field of an object in it.
  public static func insert(
    _ object: some GraphQL.ObjectReference, into list: Graph.StoredList,
    orderedBy path: String, descending: Bool = false
  ) -> Self {
    edit(object, .ordered(by: path, isDescending: descending), list)
  }

  /// Removes an object from a list. The object itself stays.
  public static func remove(
    _ object: some GraphQL.ObjectReference, from list: Graph.StoredList
  ) -> Self {
    edit(object, .removed, list)
  }

  private static func edit(
    _ object: some GraphQL.ObjectReference, _ place: ListEdit.Place, _ list: Graph.StoredList
  ) -> Self {
    if let problem = list.problem { return Self([.invalid(problem)]) }
    return Self(object) { .edit(ListEdit(key: $0, place: place), list) }
  }
}

extension Graph.StoreChange {
  /// Creates the object of a draft, which has its key fields, or changes the fields of an existing one.
  public static func create<Object>(_ draft: GraphQL.Draft<Object>) -> Self {
    Self(draft) { .create(.key($0), $1) }
  }

  /// Changes the fields of a draft, which has the key fields of the object. If the store does not have the object,
  /// nothing is created.
  public static func update<Object>(_ draft: GraphQL.Draft<Object>) -> Self {
    Self(draft) { .update(.key($0), $1) }
  }

  private init<Object>(
    _ draft: GraphQL.Draft<Object>, _ step: (GraphQL.EntityKey, JSON) -> Step
  ) {
    do {
      let object = try Object(draft)
      self.init([step(try object._entityKey(), draft.json)])
    } catch {
      self.init([.invalid("\(error)")])
    }
  }
}

/// One object that is added to a list, or removed from it.
package struct ListEdit: Sendable, Hashable {
  /// The object's place in the list.
  package enum Place: Sendable, Hashable {
    case start, end
    /// Before the first object with a greater value, or a lesser one.
    case ordered(by: String, isDescending: Bool)
    /// The object is removed.
    case removed
  }

  package let key: GraphQL.EntityKey
  package let place: Place

  package init(key: GraphQL.EntityKey, place: Place) {
    self.key = key
    self.place = place
  }
}

extension GraphQL {
  /// A store that shows the expected effect of a mutation before its response arrives.
  public protocol OptimisticResponseStore: ResponseStore {
    /// Shows a change to all readers and observers, on top of everything that is stored, until it is hidden,
    /// until a response is stored in its place, or until a logout. Nothing is stored.
    ///
    /// - Parameter generation: the one in which the request is made; nil for the current one.
    /// - Throws: ``StaleGeneration`` if there was a logout since; an error of the store for a change that the
    ///   schema does not allow. Nothing is shown then.
    func show(
      _ change: Graph.StoreChange, in generation: StoreGeneration?
    ) throws -> OptimisticChangeID

    /// Hides a change. Does nothing if it is not shown.
    func hide(_ id: OptimisticChangeID)

    /// Keeps a response, applies the effect of its mutation, and hides the expected change. Observers are
    /// notified once.
    ///
    /// - Parameters:
    ///   - generation: as for ``ResponseStore/store(_:of:in:)``.
    ///   - updates: the effect on objects and lists in addition to the objects of the response.
    ///   - id: the expected change; nil if there is none.
    /// - Throws: as ``ResponseStore/store(_:of:in:)``; also an error of the store if `updates` cannot be
    ///   applied. The response is kept nevertheless.
    func store<Root>(
      _ response: Response<Root>, of operation: Operation<Root>, in generation: StoreGeneration?,
      applying updates: Graph.StoreChange, inPlaceOf id: OptimisticChangeID?
    ) async throws
  }

  /// Identifies a change that an ``OptimisticResponseStore`` shows.
  public struct OptimisticChangeID: Hashable, Sendable {
    /// Its number, which grows with each change of the store.
    public let number: UInt64

    /// The change with a number.
    public init(_ number: UInt64) { self.number = number }
  }
}

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

extension GraphQL {
  /// A value that names a stored object: an ``EntityKey``, or an object that was read from a response or a store.
  public protocol ObjectReference {
    /// The key of the object.
    ///
    /// - Throws: ``MissingKey`` for an object without a key.
    func _entityKey() throws(MissingKey) -> EntityKey
  }

  /// An object has no key, or its key fields were not selected.
  public struct MissingKey: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the object's type, or of its class.
    public let typeName: String

    public var description: String {
      "an object of \(typeName) has no key, or its key fields were not selected; pass its EntityKey"
    }
  }
}

extension GraphQL.EntityKey: GraphQL.ObjectReference {
  public func _entityKey() -> GraphQL.EntityKey { self }
}

extension GraphQL.AbstractResponse: GraphQL.ObjectReference {
  public final func _entityKey() throws(GraphQL.MissingKey) -> GraphQL.EntityKey {
    let (json, index) = _stored
    let name = json.member("__typename", of: index).flatMap {
      json.kind(at: $0) == .string ? json.string(at: $0) : nil
    }
    // A class for unlisted types reads objects of several types.
    let type = name.flatMap { Self.schema?.type(named: $0) } ?? typeInfo
    guard let type, type.kind == .object, let fields = type.attributes["key"],
      let key = GraphQL.EntityKey(
        typeName: type.name, keyFields: fields.split(separator: ",").map { Array($0.utf8) },
        ofObjectAt: index, in: json)
    else { throw GraphQL.MissingKey(typeName: type?.name ?? "\(Self.self)") }
    return key
  }
}

extension Graph {
  /// The key of an object that the server does not know yet.
  ///
  /// In an optimistic change it is the key of an object that is being created. In an outbox it also replaces the
  /// server's ID in variables until the server has responded to the operation that creates the object. Then every
  /// queued operation that names it is updated.
  public enum TemporaryKey {
    private static let prefix = "treeswift-temporary:"

    /// A key that differs from that of every other object.
    public static func make() -> GraphQL.ID {
      GraphQL.ID(rawValue: prefix + UUID().uuidString.lowercased())
    }

    /// Whether an ID was created by ``make()``.
    public static func isTemporary(_ id: GraphQL.ID) -> Bool { isTemporary(id.rawValue) }

    package static func isTemporary(_ key: String) -> Bool { key.utf8.starts(with: prefix.utf8) }
  }
}

extension Graph {
  /// Lists that a store keeps: a list field or a connection of one object, with one or several sets of
  /// arguments.
  public struct StoredList: Sendable, Hashable {
    /// The arguments with which a list was selected, without those that select a page. Their names are not checked:
    /// a list that was never selected with them is not stored, and stays unknown.
    public enum Arguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
      /// Exactly these.
      case exactly(GraphQL.JSON)
      /// Any: all lists of the field.
      case all
      /// These, and possibly others.
      case containing(GraphQL.JSON)

      /// Exactly the given arguments.
      public init(dictionaryLiteral elements: (String, GraphQL.JSON)...) {
        self = .exactly(
          .object(JSON.Object(elements.map { JSON.Object.Member(key: $0.0, value: $0.1) })))
      }
    }

    /// The object with the field; the root of queries has the empty key.
    package let owner: GraphQL.EntityKey
    package let field: String
    package let arguments: Arguments
    /// Why the list cannot be found.
    let problem: String?

    package init(
      owner: GraphQL.EntityKey, field: String, arguments: Arguments, problem: String? = nil
    ) {
      self.owner = owner
      self.field = field
      self.arguments = arguments
      self.problem = problem
    }

    private init(problem: String) {
      self.init(
        owner: GraphQL.EntityKey(typeName: "", key: ""), field: "", arguments: [:], problem: problem
      )
    }

    /// A list of the root of queries: `.list(\Storefront.QueryRoot.products)`.
    public static func list<Root: GraphQL.AbstractResponse, List>(
      _ path: KeyPath<Root, List>, arguments: Arguments = [:]
    ) -> StoredList {
      guard let name = Root.schema?.queryTypeName,
        Root.schema?.objectTypeName(of: Root.self) == name
      else {
        return StoredList(
          problem: "\(Root.self) is not the root of queries; name the object of the list with `of:`"
        )
      }
      return list(path, GraphQL.EntityKey(typeName: name, key: ""), arguments)
    }

    /// A list of an object: `.list(\Storefront.Collection.products, of: collection)`.
    public static func list<Owner: GraphQL.AbstractResponse, List>(
      _ path: KeyPath<Owner, List>, of owner: some GraphQL.ObjectReference,
      arguments: Arguments = [:]
    ) -> StoredList {
      do throws(GraphQL.MissingKey) {
        return list(path, try owner._entityKey(), arguments)
      } catch {
        return StoredList(problem: error.description)
      }
    }

    /// A list of an object, if no class is generated for the object.
    ///
    /// - Parameter field: its name in the schema.
    public static func list(
      _ field: String, of owner: some GraphQL.ObjectReference, arguments: Arguments = [:]
    ) -> StoredList {
      do throws(GraphQL.MissingKey) {
        return StoredList(owner: try owner._entityKey(), field: field, arguments: arguments)
      } catch {
        return StoredList(problem: error.description)
      }
    }

    private static func list<Owner: GraphQL.AbstractResponse, List>(
      _ path: KeyPath<Owner, List>, _ owner: GraphQL.EntityKey, _ arguments: Arguments
    ) -> StoredList {
      do throws(GraphQL.OpaqueKeyPath) {
        let path = try GraphQL.FieldPath(path)
        guard path.steps.count == 1, path.steps[0].alias == nil else {
          return StoredList(
            problem:
              "`\(path)` is not a list of \(owner.typeName) itself; name the list by one field")
        }
        return StoredList(owner: owner, field: path.steps[0].name, arguments: arguments)
      } catch {
        return StoredList(problem: "\(error)")
      }
    }
  }
}

extension Graph.StoredList {
  /// Whether the lists include the one with a storage key.
  package func includes(_ storageKey: String) -> Bool {
    guard GraphQL.StorageKey.fieldName(storageKey) == field else { return false }
    switch arguments {
    case .all: return true
    case .exactly: return self.storageKey.map { $0.hasSameBytes(as: storageKey) } ?? false
    case .containing(let expected):
      guard case .object(let expected) = expected,
        case .object(let given)? = GraphQL.StorageKey.arguments(storageKey)
      else { return false }
      return expected.members.allSatisfy { member in
        given[member.key].map { GraphQL.StorageKey.isSame($0, member.value) } ?? false
      }
    }
  }

  /// The storage key of the only list; nil if there may be several.
  package var storageKey: String? {
    guard case .exactly(let arguments) = arguments else { return nil }
    return arguments == [:] ? field : GraphQL.StorageKey.text(field, arguments)
  }
}
