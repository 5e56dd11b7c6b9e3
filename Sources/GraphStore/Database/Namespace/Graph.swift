// A file that imports only this module sees the namespace. With a type alias in each module, expressions
// such as `[Graph.Client]()` would not compile in files that import several of them.
@_exported import enum GraphQLRuntime.Graph
