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
