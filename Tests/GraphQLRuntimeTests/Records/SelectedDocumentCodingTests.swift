import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// The data of operations as JSON.
@Suite struct SelectedDocumentCodingTests {
  private func data(long: Bool, _ products: String) throws -> ConditionsQuery.Data {
    try ConditionsQuery(long: long).operation().data(#"{"products":[\#(products)]}"#)
  }

  @Test func theDataOfAnOperationIsCodable() throws {
    let text = #"{"id":"1","images":[{"height":2}]}"#
    let value = try data(long: false, text)
    let coded = try JSONEncoder().encode(value)
    #expect(
      try JSON(parsing: Array(coded)) == JSON(parsing: Array(#"{"products":[\#(text)]}"#.utf8)))
    let decoder = JSONDecoder()
    decoder.userInfo[.graphQLVariables] = ["long": false] as GraphQL.JSON
    #expect(try decoder.decode(ConditionsQuery.Data.self, from: coded) == value)
    // Without the variable, the fields count as selected.
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ConditionsQuery.Data.self, from: coded)
    }
  }

  @Test func variablesDecideAboutConditions() throws {
    let text =
      #"{"id":"1","title":"Hat","price":"2","images":[{"height":2,"url":"https://e.test/1"}]}"#
    let value = try data(long: true, text)
    let coded = try JSONEncoder().encode(value)
    let decoder = JSONDecoder()
    decoder.userInfo[.graphQLVariables] = ["long": true] as GraphQL.JSON
    let read = try decoder.decode(ConditionsQuery.Data.self, from: coded)
    #expect(read == value && read.products[0].details?.title == "Hat")
    decoder.userInfo[.graphQLVariables] = ["long": false] as GraphQL.JSON
    #expect(
      try decoder.decode(ConditionsQuery.Data.self, from: coded).products[0].details == nil)
  }

  @Test func theDataOfAnOperationIsMadeFromJSON() throws {
    let data = try ConditionsQuery.Data(json: ["products": []])
    #expect(data.products.isEmpty)
    #expect(throws: GraphQL.FragmentMismatch.self) { try ConditionsQuery.Data(json: [:]) }
  }
}
