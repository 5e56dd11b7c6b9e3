// See the exports of GraphClient.
@_exported import enum GraphQLRuntime.Graph
