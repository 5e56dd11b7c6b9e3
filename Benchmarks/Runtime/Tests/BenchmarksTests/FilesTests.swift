import Testing

@testable import benchmarks

/// Suites read files of the repository, from which their package may move away.
@Suite struct FilesTests {
  @Test func theSchemaIsFound() throws {
    #expect(!(try GeneratingSuite.suite().rows.isEmpty))
  }
}
