import Testing

@testable import GraphQLSchema

@Suite struct GraphQLSchemaModuleTests {}
