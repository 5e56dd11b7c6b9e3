import GraphJSON
import Testing

/// Programming errors stop the program; they never write text that is not JSON.
@Suite struct MisuseTests {
  @Test func valueWithoutKey() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.null()
    }
  }

  @Test func keyInAnArray() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.key("a")
    }
  }

  @Test func keyWithoutValue() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("a")
      writer.endObject()
    }
  }

  @Test func endThatDoesNotFit() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.endObject()
    }
  }

  @Test func secondRoot() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.null()
      writer.null()
    }
  }

  @Test func unfinishedText() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      _ = writer.finish()
    }
  }

  @Test func stringOfANumber() async {
    await #expect(processExitsWith: .failure) {
      _ = try JSONDocument(parsing: "1").string(at: JSONDocument.rootIndex)
    }
  }

  @Test func indexOutsideOfTheTape() async {
    await #expect(processExitsWith: .failure) {
      _ = try JSONDocument(parsing: "[1]").kind(at: 3)
    }
  }
}
