import GraphQLRuntime

// Each operator twice: for non-null and for nullable fields.

/// The field equals the value; see `Graph.Filter`.
public func == <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .equal)
}

/// The field equals the value; see `Graph.Filter`.
public func == <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value?
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .equal)
}

/// The field does not equal the value; see `Graph.Filter`.
public func != <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .notEqual)
}

/// The field does not equal the value; see `Graph.Filter`.
public func != <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value?
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .notEqual)
}

/// The field is less than the value; see `Graph.Filter`.
public func < <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .less)
}

/// The field is less than the value; see `Graph.Filter`.
public func < <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .less)
}

/// The field is at most the value; see `Graph.Filter`.
public func <= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atMost)
}

/// The field is at most the value; see `Graph.Filter`.
public func <= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atMost)
}

/// The field is greater than the value; see `Graph.Filter`.
public func > <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .greater)
}

/// The field is greater than the value; see `Graph.Filter`.
public func > <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .greater)
}

/// The field is at least the value; see `Graph.Filter`.
public func >= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atLeast)
}

/// The field is at least the value; see `Graph.Filter`.
public func >= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atLeast)
}
