import Testing

@testable import GraphJSON

@Suite struct GraphJSONModuleTests {}
