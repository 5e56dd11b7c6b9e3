import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphStore

/// Renames after which a name belongs to something else.
@Suite struct SwappedNameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let types: [Graph.SchemaRename] = [
    .type("Club", to: "Tmp"), .type("Person", to: "Club"), .type("Tmp", to: "Person"),
  ]
  private static let fields: [Graph.SchemaRename] = [
    .field("Club.motto", to: "Club.tmp"), .field("Club.name", to: "Club.motto"),
    .field("Club.tmp", to: "Club.name"),
  ]
  private static let values: [Graph.SchemaRename] = [
    .enumValue("ClubKind.CHESS", to: "ClubKind.TMP"),
    .enumValue("ClubKind.ROWING", to: "ClubKind.CHESS"),
    .enumValue("ClubKind.TMP", to: "ClubKind.ROWING"),
  ]

  private static let original = [
    #"Club p {"__typename":"Club","id":"p","name":"N","motto":"M","kind":"CHESS","captain":{"&":"Person:p"}}"#,
    #"Club q {"__typename":"Club","id":"q","name":"O","kind":"ROWING"}"#,
    #"Person p {"__typename":"Person","id":"p","name":"Ann"}"#,
  ]
  private static let swappedTypes = [
    #"Club p {"__typename":"Club","id":"p","name":"Ann"}"#,
    #"Person p {"__typename":"Person","id":"p","name":"N","motto":"M","kind":"CHESS","captain":{"&":"Club:p"}}"#,
    #"Person q {"__typename":"Person","id":"q","name":"O","kind":"ROWING"}"#,
  ]
  private static let swappedFields = [
    #"Club p {"__typename":"Club","id":"p","motto":"N","name":"M","kind":"CHESS","captain":{"&":"Person:p"}}"#,
    #"Club q {"__typename":"Club","id":"q","motto":"O","kind":"ROWING"}"#,
    original[2],
  ]
  private static let swappedValues = original.map {
    $0.contains("CHESS")
      ? $0.replacing("CHESS", with: "ROWING") : $0.replacing("ROWING", with: "CHESS")
  }
  private static let swaps = [
    (types, swappedTypes), (fields, swappedFields), (values, swappedValues),
  ]

  private func open(_ renames: [Graph.SchemaRename]) throws -> Graph.Store {
    var configuration = Graph.Store.Configuration()
    configuration.renames = renames
    return try Graph.Store(schema: Sample.schema, file: folder.file(), configuration: configuration)
  }

  private func fill(_ renames: [Graph.SchemaRename] = []) async throws {
    let clubs = #"""
      [{"id":"p","name":"N","motto":"M","kind":"CHESS","captain":{"id":"p","name":"Ann"}},
       {"id":"q","name":"O","kind":"ROWING"}]
      """#
    try await open(renames).write(json: Array(clubs.utf8), as: Sample.Club.self)
    #expect(try records() == Self.original)
  }

  private func records() throws -> [String] {
    try DatabaseConnection(path: folder.file().path, mode: .reader).texts(
      """
      SELECT name || ' ' || key || ' ' || record FROM entity JOIN type ON type.id = entity.type
      ORDER BY name, key
      """)
  }

  /// Opens the file twice, which has to be the same as once.
  private func migrate(_ renames: [Graph.SchemaRename]) throws -> [String] {
    let problems = try open(renames).migrationReport?.problems.map(\.description) ?? []
    let first = try records()
    let store = try open(renames)
    #expect(store.migrationReport?.isNew == false)
    #expect(store.migrationReport?.problems.map(\.description) ?? [] == problems)
    #expect(try records() == first)
    #expect(try Graph.StoreInspector(file: folder.file()).problems() == [])
    return problems
  }

  @Test(arguments: swaps)
  func swapsTwoNames(_ renames: [Graph.SchemaRename], _ expected: [String]) async throws {
    try await fill()
    #expect(try migrate(renames) == [])
    #expect(try records() == expected)
    // The list grows: back again.
    #expect(try migrate(renames + renames) == [])
    #expect(Set(try records()).count == 3)
    #expect(try records().map { $0.count } == Self.original.map(\.count))
    #expect(try migrate(renames + renames + renames) == [])
    #expect(try records() == expected)
  }

  @Test(arguments: swaps)
  func aFileCreatedWithTheNewNamesIsUnchanged(_ renames: [Graph.SchemaRename], _: [String])
    async throws
  {
    try await fill(renames)
    #expect(try migrate(renames) == [])
    #expect(try records() == Self.original)
  }

  /// A version of the program for each change.
  @Test func appliesOnlyAddedRenamesOfAGrowingList() async throws {
    try await fill()
    let renames = Self.values + Self.fields + Self.values + Self.types
    for count in [3, 6, 9] {
      #expect(try migrate(Array(renames.prefix(count))) == [])
    }
    let expected = try records()
    #expect(try migrate(renames) == [])
    #expect(try records() != expected)
    // The oldest changes are not declared any more.
    let last = try records()
    #expect(try migrate(Array(renames.suffix(3))) == [])
    #expect(try records() == last)
  }

  @Test func renamingBackAndForthChangesNothing() async throws {
    try await fill()
    let renames: [Graph.SchemaRename] = [
      .type("Club", to: "Group"), .type("Group", to: "Club"),
      .field("Club.name", to: "Club.title"), .field("Club.title", to: "Club.name"),
      .enumValue("ClubKind.CHESS", to: "ClubKind.GO"),
      .enumValue("ClubKind.GO", to: "ClubKind.CHESS"),
    ]
    #expect(try migrate(renames) == [])
    #expect(try records() == Self.original)
  }

  @Test func swapsFieldsOfARenamedType() async throws {
    try await fill()
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce("UPDATE type SET name = 'Team' WHERE name = 'Club'")
    try connection.rewriteRecords { $0.replacing(#""Club""#, with: #""Team""#) }
    #expect(try migrate([.type("Team", to: "Club")] + Self.fields) == [])
    #expect(try records() == Self.swappedFields)
  }

  @Test func swapsFieldsBeforeTheirTypes() async throws {
    try await fill()
    let before = Self.fields + Self.types
    // The schema's persons have no motto.
    #expect(
      try migrate(before + [.field("Person.nick", to: "Person.nicknames")])
        == ["Person.name: unknownTarget"])
    #expect(
      try records()[1]
        == #"Person p {"__typename":"Person","id":"p","motto":"N","name":"M","kind":"CHESS","captain":{"&":"Club:p"}}"#
    )
  }

  /// It is unknown which program has written a row.
  @Test(arguments: swaps, [true, false])
  func reportsAmbiguousRowsAfterAnOlderProgramWrites(
    _ swap: ([Graph.SchemaRename], [String]), isOpenBefore: Bool
  ) async throws {
    let (renames, expected) = swap
    try await fill()
    var older: Graph.Store? = isOpenBefore ? try open([]) : nil
    do { _ = try open(renames) }
    if older == nil { older = try open([]) }
    #expect(try records() == expected)
    // Reading alone is harmless.
    #expect(try migrate(renames) == [])
    try await older?.write(json: Array(#"{"id":"z","name":"Z"}"#.utf8), as: Sample.Customer.self)
    older = nil
    let problems = try migrate(renames)
    #expect(problems.count >= 2 && problems.allSatisfy { $0.hasSuffix(": ambiguous") })
    #expect(try records().filter { !$0.hasPrefix("Customer") } == expected)
    // Later changes of other names are carried over.
    try DatabaseConnection(path: folder.file().path, mode: .writer).rewriteRecords(of: "q") {
      $0.replacing(#""id":"q""#, with: #""gid":"q""#)
    }
    let type = renames[0].description.hasPrefix("type") ? "Person" : "Club"
    #expect(try migrate(renames + [.field("\(type).gid", to: "\(type).id")]) == problems)
    #expect(try records().filter { !$0.hasPrefix("Customer") } == expected)
  }

  /// All programs that have written have the same names for what is swapped now.
  @Test func swapsRowsThatAnOlderProgramWroteBefore() async throws {
    let first: [Graph.SchemaRename] = [.enumValue("Crop.MIDDLE", to: "Crop.CENTER")]
    try await fill(first)
    try await open([]).write(json: Array(#"{"id":"z","name":"Z"}"#.utf8), as: Sample.Customer.self)
    #expect(try migrate(first + Self.types) == [])
    #expect(try records().filter { !$0.hasPrefix("Customer") } == Self.swappedTypes)
  }

  @Test func aFailedMigrationChangesNothing() async throws {
    try await fill()
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce(
      """
      CREATE TRIGGER full BEFORE UPDATE ON entity WHEN old.key = 'q' AND new.key = 'q'
        AND old.record <> new.record
      BEGIN SELECT raise(FAIL, 'full'); END
      """)
    #expect(throws: Graph.StoreError.self) { try open(Self.types + Self.fields) }
    #expect(try records() == Self.original)
    try connection.executeOnce("DROP TRIGGER full")
    #expect(try migrate(Self.types) == [])
    #expect(try records() == Self.swappedTypes)
  }

  @Test func swapsNamesInErrorsOverlaysAndExtensionTables() async throws {
    try await fill()
    let tables = """
      CREATE TABLE work(entity TEXT NOT NULL UNIQUE) STRICT
      """
    try await open([]).write { transaction in
      let overlays = try transaction.createOverlayTables()
      try transaction.execute(tables)
      try transaction.register(
        extensionTables: overlays + ["work"],
        unsentWork:
          "SELECT entity id, entity, '' name, '' state, '' document, '' variables FROM work")
    }
    let connection = try DatabaseConnection(path: folder.file().path, mode: .writer)
    try connection.executeOnce(
      """
      INSERT INTO work VALUES('Club:p'), ('Person:p');
      INSERT INTO field_error VALUES('Club:p', '["name"]', 'club', ''),
        ('Person:p', '["name"]', 'person', '');
      INSERT INTO overlay_base VALUES('Club:p', '{"__typename":"Club","id":"p"}'),
        ('Person:p', '{"__typename":"Person","id":"p","age":7}');
      INSERT INTO overlay_patch VALUES('Club:p', 1, 'update', '{"motto":"M"}'),
        ('Person:p', 1, 'update', '{"age":8}');
      """)
    #expect(try migrate(Self.types) == [])
    #expect(
      try connection.texts("SELECT entity || message FROM field_error ORDER BY 1") == [
        "Club:pperson", "Person:pclub",
      ])
    #expect(
      try connection.texts("SELECT entity || record FROM overlay_base ORDER BY 1") == [
        #"Club:p{"__typename":"Club","id":"p","age":7}"#,
        #"Person:p{"__typename":"Person","id":"p"}"#,
      ])
    #expect(
      try connection.texts("SELECT entity || content FROM overlay_patch ORDER BY 1") == [
        #"Club:p{"age":8}"#, #"Person:p{"motto":"M"}"#,
      ])
    #expect(try connection.texts("SELECT entity FROM work ORDER BY 1") == ["Club:p", "Person:p"])
  }

  /// The keys of connections contain values of enums.
  @Test func swapsEnumValuesInConnectionArguments() async throws {
    let shop = OldShop(folder: folder)
    try await shop.fill()
    try DatabaseConnection(path: shop.file.path, mode: .writer).executeOnce(
      """
      INSERT INTO entity(type, key, sum, record, changed)
      SELECT type, replace(key, 'TITLE', 'VENDOR'), sum, record, 5 FROM entity
      WHERE key LIKE '%TITLE%'
      """)
    let query = """
      SELECT key FROM entity WHERE changed = 5 AND key LIKE '%TITLE%'
      UNION ALL SELECT key FROM entity WHERE changed <> 5 AND key LIKE '%VENDOR%' ORDER BY key
      """
    let connection = try DatabaseConnection(path: shop.file.path, mode: .reader)
    let count = try connection.texts("SELECT key FROM entity WHERE key LIKE '%TITLE%'").count
    #expect(count > 0)
    #expect(try connection.texts(query) == [])
    let report = try shop.open([
      .enumValue("ProductSortKey.TITLE", to: "ProductSortKey.TMP"),
      .enumValue("ProductSortKey.VENDOR", to: "ProductSortKey.TITLE"),
      .enumValue("ProductSortKey.TMP", to: "ProductSortKey.VENDOR"),
    ]).migrationReport
    #expect(report?.problems == [])
    #expect(try connection.texts(query).count == 2 * count)
    #expect(try Graph.StoreInspector(file: shop.file).problems() == [])
  }

  /// A value that does not fit must not be found under a name that belongs to something else now.
  @Test func removesValuesThatDoNotFitTheSwappedField() async throws {
    try await fill()
    let renames: [Graph.SchemaRename] = [
      .field("Club.captain", to: "Club.tmp"), .field("Club.name", to: "Club.captain"),
      .field("Club.tmp", to: "Club.name"),
    ]
    #expect(
      try migrate(renames) == ["Club.captain: doesNotFit (1)", "Club.name: doesNotFit (2)"])
    #expect(
      try records()[0] == #"Club p {"__typename":"Club","id":"p","motto":"M","kind":"CHESS"}"#)
  }

  @Test func deletesObjectsOfATypeThatBecameTransient() async throws {
    try await fill()
    #expect(
      try migrate([
        .type("Club", to: "Checkout"), .type("Person", to: "Club"), .type("Team", to: "Person"),
      ]) == ["Club: transient (2)"])
    #expect(try records() == [#"Club p {"__typename":"Club","id":"p","name":"Ann"}"#])
  }
}
