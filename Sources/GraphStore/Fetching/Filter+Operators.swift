import GraphQLRuntime

// Each operator twice: for fields that cannot be null and for those that can.

public func == <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 == $1 }
}

public func == <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value?
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 == $1 }
}

public func != <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 != $1 }
}

public func != <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value?
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 != $1 }
}

public func < <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 != .nothing && $0 < $1 }
}

public func < <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 != .nothing && $0 < $1 }
}

public func <= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 != .nothing && $0 <= $1 }
}

public func <= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 != .nothing && $0 <= $1 }
}

public func > <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 > $1 }
}

public func > <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 > $1 }
}

public func >= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 >= $1 }
}

public func >= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Filter<Object> {
  .compare(path, Value.self, value) { $0 >= $1 }
}
