import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import Testing

/// The sentences that a user may see.
struct LocalizedErrorTests {
  @Test func errorsHaveASentenceAndADescriptionForDevelopers() throws {
    let violation = try #require(
      throws: GraphQL.SchemaViolation.self,
      performing: { try GraphQL.Draft<Storefront.Product>(json: ["titel": "Hat"]) })
    #expect(violation.localizedDescription == "The data cannot be read.")
    #expect(violation.failureReason == violation.description)
    let error = GraphQL.ResponseError(message: "secret of the server")
    #expect(error.localizedDescription == "The service could not carry out the request.")
    #expect(error.failureReason?.contains("secret of the server") == true)
  }
}
