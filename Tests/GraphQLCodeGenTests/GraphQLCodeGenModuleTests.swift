import Testing

@testable import GraphQLCodeGen

@Suite struct GraphQLCodeGenModuleTests {}
