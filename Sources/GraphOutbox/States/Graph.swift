import GraphQLRuntime

/// The namespace of the client, the store and the outbox, so that a file that imports only this
/// module sees it.
public typealias Graph = GraphQLRuntime.Graph
