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
