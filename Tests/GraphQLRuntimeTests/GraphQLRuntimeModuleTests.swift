import Testing

@testable import GraphQLRuntime

@Suite struct GraphQLRuntimeModuleTests {}
