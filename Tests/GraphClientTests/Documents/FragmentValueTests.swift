import Foundation
import GraphClient
import GraphJSON
import StorefrontAPI
import Testing

/// Fragments as values: coded as JSON, and made from drafts.
@Suite struct FragmentValueTests {
  private static var draft: GraphQL.Draft<Storefront.Product> {
    GraphQL.Draft {
      $0[\.id] = "1"
      $0[\.title] = "Boot"
      $0[\.vendor] = "Plume"
      $0[\.priceRange.min.amount] = 12.5
      $0[\.priceRange.min.currencyCode] = .eur
    }
  }

  @Test func aFragmentIsMadeFromADraft() throws {
    let shoe = try Shoe(Self.draft)
    #expect(shoe.title == "Boot" && shoe.priceRange.min.amount == 12.5)
    var incomplete = Self.draft
    incomplete.remove(\.vendor)
    do {
      _ = try Shoe(incomplete)
      Issue.record("no error")
    } catch { #expect(error.description.contains("vendor"), "\(error)") }
  }

  @Test func aFragmentIsCodable() throws {
    let shoe = try Shoe(Self.draft)
    let coded = try JSONEncoder().encode([shoe])
    #expect(try JSONDecoder().decode([Shoe].self, from: coded) == [shoe])
    do {
      _ = try JSONDecoder().decode(Shoe.self, from: Data(#"{"title":1}"#.utf8))
      Issue.record("no error")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.underlyingError is GraphQL.FragmentMismatch)
    }
  }

  @Test func objectsWithAnIDAreIdentifiable() throws {
    let product = try Storefront.Product(Self.draft)
    func id<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    #expect(id(product) == GraphQL.ID(rawValue: "1"))
  }
}
