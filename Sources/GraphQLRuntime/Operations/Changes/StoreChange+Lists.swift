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
