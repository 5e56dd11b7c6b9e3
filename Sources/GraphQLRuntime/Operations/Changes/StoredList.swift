import GraphJSON

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
