import GraphQLExecution
import GraphQLSchema
import Testing

struct ResponsePathTests {
  @Test(arguments: ["", "a", "a.b", "a[0]", "a[0][12].b", "a.b[3].c.d"])
  func pathRoundTripsThroughText(_ text: String) {
    #expect(ResponsePath(text)?.description == text)
  }

  @Test(arguments: [
    "a.", ".a", "a..b", "[0]", "a[", "a[]", "a[x]", "a[-1]", "a]", "a[0]b", "a[0]]",
  ])
  func rejectsInvalidPaths(_ text: String) {
    // A name may contain anything except dots and brackets; the names of a document contain fewer
    // characters.
    #expect(ResponsePath(text) == nil)
  }
}
