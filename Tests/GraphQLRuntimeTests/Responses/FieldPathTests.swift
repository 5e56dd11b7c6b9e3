import Foundation
import GraphJSON
@testable import GraphQLRuntime
import Testing

/// Key paths of generated accessors as paths of fields.
@Suite struct FieldPathTests {
  private func path<Value>(_ keyPath: KeyPath<Shop.Product, Value>) -> String? {
    (try? GraphQL.FieldPath(keyPath))?.description
  }

  private func rootPath<Value>(_ keyPath: KeyPath<Shop.QueryRoot, Value>) -> String? {
    (try? GraphQL.FieldPath(keyPath))?.description
  }

  private func reason<Value>(_ keyPath: KeyPath<Shop.Product, Value>) -> String? {
    do {
      _ = try GraphQL.FieldPath(keyPath)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func accessorsOfEveryKindResolve() {
    #expect(path(\.title) == "title")
    #expect(path(\.available) == "available")
    #expect(path(\.rating) == "rating")
    #expect(path(\.id) == "id")
    #expect(path(\.code) == "code")
    #expect(path(\.codes) == "codes")
    #expect(path(\.createdAt) == "createdAt")
    #expect(path(\.day) == "day")
    #expect(path(\.price) == "price")
    #expect(path(\.big) == "big")
    #expect(path(\.meta) == "meta")
    #expect(path(\.points) == "points")
    #expect(path(\.tags) == "tags")
    #expect(path(\.matrix) == "matrix")
    #expect(path(\.legacy__id) == "legacy__id")
    #expect(path(\.__typename) == "__typename")
    #expect(path(\.image) == "image")
    #expect(path(\.images) == "images")
    #expect(path(\.related) == "related")
    #expect(rootPath(\.node) == "node")
    #expect(rootPath(\.search) == "search")
    #expect(rootPath(\.flags) == "flags")
  }

  @Test func chainedAccessorsResolve() {
    #expect(path(\.image?.url) == "image.url")
    #expect(path(\.image?.height) == "image.height")
    #expect(path(\.owner?.id) == "owner.id")
    #expect(path(\.owner?.__typename) == "owner.__typename")
    #expect(rootPath(\.product?.image?.url) == "product.image.url")
    #expect(rootPath(\.node?.id) == "node.id")
    #expect(
      (try? GraphQL.FieldPath(\Shop.Feed.changed.image?.url))?.description == "changed.image.url")
  }

  /// Found by fuzzing under the leak sanitizer: the notes kept placeholders, which kept the probe.
  @Test func tracingReleasesProbe() throws {
    weak var left: GraphQL.Probe?
    do {
      let probe = GraphQL.Probe(schema: Shop.schema, variant: .first)
      left = probe
      let steps = try GraphQL.FieldPath.trace(\Shop.Product.image?.url, probe)
      #expect(steps.map(\.name) == ["image", "url"])
    }
    #expect(left == nil)
  }

  @Test func stepsHaveNames() throws {
    let path = try GraphQL.FieldPath(\Shop.Product.image?.url)
    #expect(
      path.steps.map(\.name) == ["image", "url"] && path.steps.allSatisfy { $0.alias == nil })
    #expect(try path == GraphQL.FieldPath(\Shop.Product.image?.url))
    #expect(try path != GraphQL.FieldPath(\Shop.Product.image?.height))
  }

  @Test func pathsOfAliasedReadsContainAlias() throws {
    #expect(path(\.bigImage?.url) == "image__big.url")
    #expect(try GraphQL.FieldPath(\Shop.Product.bigImage).steps[0].alias == "big")
  }

  @Test func forwardingPropertiesResolveToTheirFields() {
    #expect(path(\.name) == "title")
    #expect(path(\.picture?.url) == "image.url")
  }

  @Test func computedValuesAreOpaque() {
    for reason in [
      reason(\.shouted), reason(\.displayTitle), reason(\.optionalTitle), reason(\.isSoldOut),
      reason(\.doubled), reason(\.sortedTags), reason(\.reversedImages), reason(\.firstWord),
      reason(\.tags.count), reason(\.title?.count), reason(\.codes.first), reason(\.tags[0]),
      reason(\.images[2]), reason(\.createdAt.timeIntervalSince1970), reason(\.id.rawValue),
      reason(\.images.first), reason(\.isGreen), reason(\.rebuilt),
    ] {
      #expect(reason?.hasPrefix("its value is computed from") == true, "\(reason ?? "nil")")
    }
  }

  @Test func pathsOfZeroOrSeveralFieldsAreOpaque() {
    #expect(reason(\.self) == "it does not read a field")
    #expect(reason(\.constant) == "it does not read a field")
    #expect(reason(\.caption) == "it reads more than one field")
    #expect(reason(\.either) == "it reads more than one field")
    #expect(reason(\.both) == "it reads more than one field")
    #expect(reason(\.fallback) == "it reads more than one field")
  }

  @Test func readRejectsOpaquePaths() throws {
    let product = try Shop.Product(fields: ["title": "T"])
    #expect(!product.has(\.shouted))
    #expect(throws: GraphQL.OpaqueKeyPath.self) { try product.read(\.shouted) }
    #expect(product.rawText(\.shouted) == nil)
    #expect(try product.read(\.title) == "T")
    #expect(
      GraphQL.OpaqueKeyPath(reason: "x").description
        == "the key path is not a path of fields: x; use a chain of generated properties")
  }

  @Test func resolvesNestedListsQuickly() {
    let time = ContinuousClock().measure {
      #expect(path(\.matrix) == "matrix")
      #expect((try? GraphQL.FieldPath(\Nested.cube))?.description == "cube")
      #expect((try? GraphQL.FieldPath(\Nested.nodes))?.description == "nodes")
    }
    #expect(time < .seconds(5))
  }

  @Test func pathsResolveOnConcurrentTasks() async {
    let all = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<64 {
        group.addTask { (try? GraphQL.FieldPath(\Shop.Product.image?.url))?.description }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(all == ["image.url"])
  }
}

private protocol Cell: GraphQL.AbstractResponse {}
private final class UnknownCell: Nested, Cell, @unchecked Sendable {}

private class Nested: GraphQL.AbstractResponse, @unchecked Sendable {
  override class var schema: GraphQL.SchemaTable { table }
  var cube: [[[[Int]]]] { _value("cube") }
  var nodes: [[[any Cell]]?] { _anys("nodes") }

  private static let table = GraphQL.SchemaTable(
    name: "Nested",
    table: ">Nested - -\n&Cell\n@Nested\ncube [[[[Int!]!]!]!]!\nnodes [[[Cell!]!]]!",
    queries: [GraphQL.AbstractQuery.self, GraphQL.AbstractQuery.self],
    responses: [UnknownCell.self, Nested.self], scalars: [])
}

extension Shop.Product {
  fileprivate var name: String? { title }
  fileprivate var picture: Shop.Image? { image }
  fileprivate var bigImage: Shop.Image? { aliasedImage(alias: "big") }

  fileprivate var shouted: String { (title ?? "").uppercased() }
  fileprivate var displayTitle: String { title ?? "none" }
  fileprivate var optionalTitle: String? { title ?? "none" }
  fileprivate var isSoldOut: Bool { !available }
  fileprivate var isGreen: Bool { code == .green }
  fileprivate var doubled: Double? { rating.map { $0 * 2 } }
  fileprivate var sortedTags: [String] { tags.sorted() }
  fileprivate var reversedImages: [Shop.Image] { images.reversed() }
  fileprivate var firstWord: Substring? { title?.split(separator: " ").first }
  fileprivate var rebuilt: Decimal { price + 0 + 1 }

  fileprivate var constant: Int { 3 }
  fileprivate var caption: String { "\(title ?? "") \(price)" }
  fileprivate var either: Bool { available || rating == nil }
  fileprivate var both: Bool { available && rating == nil }
  fileprivate var fallback: String? { title ?? legacy__id }
}
