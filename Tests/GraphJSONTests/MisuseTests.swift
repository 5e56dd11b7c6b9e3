import GraphJSON
import Testing

/// Programming errors stop the program; they never write text that is not JSON.
@Suite struct MisuseTests {
  @Test func valueWithoutKeyStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.null()
    }
  }

  @Test func keyInArrayStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.key("a")
    }
  }

  @Test func keyWithoutValueStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("a")
      writer.endObject()
    }
  }

  @Test func mismatchedEndStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.endObject()
    }
  }

  @Test func secondRootStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.null()
      writer.null()
    }
  }

  @Test func finishingIncompleteTextStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      _ = writer.finish()
    }
  }

  @Test func readingNumberAsStringStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      _ = try JSONDocument(parsing: "1").string(at: JSONDocument.rootIndex)
    }
  }

  @Test func indexOutsideTapeStopsProcess() async {
    await #expect(processExitsWith: .failure) {
      _ = try JSONDocument(parsing: "[1]").kind(at: 3)
    }
  }
}
