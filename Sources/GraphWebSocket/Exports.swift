// A file that imports only this module sees both namespaces. With a type alias in each module, expressions
// such as `[Graph.Client]()` would not compile in files that import several of them.
@_exported import enum GraphQLRuntime.Graph
@_exported import enum GraphQLRuntime.GraphQL
