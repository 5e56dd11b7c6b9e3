import GraphQLCodeGen
import GraphQLSchema
import Testing

/// Schemas that are written to take a long time: the time is proportional to their size.
@Suite struct AdversarialSizeTests {
  /// Distinct values that all have the same case name in Swift.
  @Test func reportsEachOfManyConflicts() throws {
    let values = (0..<4_096).map { number in
      (0..<12).map { bit in number >> bit & 1 == 0 ? "A_" : "A__" }.joined() + "B"
    }
    let found = try diagnostics {
      _ = try Generation("enum E { \(values.joined(separator: " ")) }")
    }
    #expect(found.count == values.count - 1)
    #expect(found.allSatisfy { $0.code == "NameConflict" })
  }

  @Test func typesDifferingInCaseHaveUniqueFileNames() throws {
    let types = (0..<1_024).map { number in
      "enum \(String((0..<10).map { number >> $0 & 1 == 0 ? "a" : "A" })) { A }"
    }
    let module = try Generation(
      types.joined(separator: "\n"),
      configuration: Configuration(naming: .asWritten, layout: .perType))
    let names = module.output.files.map { $0.name.lowercased() }
    #expect(Set(names).count == types.count + 2)
  }

  @Test func rejectsTooManyOverlappingInterfaces() throws {
    let names = (0..<2_500).map { "I\($0)" }
    let interfaces = names.map { "interface \($0) { a: Int }" }.joined(separator: "\n")
    let sdl = "\(interfaces) type T implements \(names.joined(separator: " & ")) { a: Int }"
    let found = try diagnostics { _ = try Generation(sdl) }
    #expect(found.map(\.code) == ["TooManyOverlaps"])
  }
}
