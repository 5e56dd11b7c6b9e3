import Foundation
import GraphCompatibility
import GraphStore
import TestSupport
import Testing

@Suite struct FileStorageTests {
  private struct Settings: Codable, Equatable {
    var name: String
    var sizes: [Int]
    var since: Date?
  }

  private let storage: any FileStorage = PropertyListFileStorage()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func readsWrittenValues() throws {
    let file = folder.file("deep/er/settings.plist")
    #expect(try storage.data(for: file) as Settings? == nil)
    let settings = Settings(name: "é", sizes: [1, 2], since: Date(timeIntervalSince1970: 7))
    try storage.write(settings, to: file)
    #expect(try storage.data(for: file) == settings)
    try storage.write("just text", to: file)
    #expect(try storage.data(for: file) == "just text")
    #expect(throws: (any Error).self) { try storage.data(for: file) as Settings? }
  }

  /// The standard decoder reads the file, and the standard encoder's file can be read.
  private func exchange<Value: Codable & Equatable>(_ value: Value) throws {
    let file = folder.file("value.plist")
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      try encoder.encode(value).write(to: file)
      #expect(try storage.data(for: file) == value)
      // A file of an earlier version.
      try encoder.encode([value]).write(to: file)
      #expect(try storage.data(for: file) == value)
    }
    try storage.write(value, to: file)
    #expect(
      try PropertyListDecoder().decode(Value.self, from: Data(contentsOf: file)) == value)
  }

  @Test func filesAreStandardPropertyLists() throws {
    try exchange(Settings(name: "é", sizes: [1, 2], since: Date(timeIntervalSince1970: 7)))
    try exchange(["a": [1, 2], "b": []])
    try exchange([Settings(name: "", sizes: [], since: nil)])
    try exchange(Data([1, 2]))
    try exchange(URL(string: "https://shop.example/a"))
  }

  @Test func storesSingleValueAsOneElementList() throws {
    let file = folder.file("value.plist")
    func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
      try storage.write(value, to: file)
      #expect(try storage.data(for: file) == value)
      #expect(
        try PropertyListDecoder().decode([Value].self, from: Data(contentsOf: file)) == [value])
    }
    try roundTrip(5)
    try roundTrip("text")
    try roundTrip(true)
    try roundTrip(Date(timeIntervalSince1970: 7))
    try roundTrip(nil as Int?)
    try roundTrip(UUID())
  }

  @Test func writesPrivateFileWithoutTemporaryFiles() throws {
    let file = folder.file("settings.plist")
    try storage.write([1, 2], to: file)
    try storage.write([3], to: file)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["settings.plist"])
  }

  @Test func deletesFile() throws {
    let file = folder.file("settings.plist")
    try storage.deleteFile(at: file)
    try storage.write(true, to: file)
    try storage.deleteFile(at: file)
    #expect(try storage.data(for: file) as Bool? == nil)
  }

  @Test func deletesOnlyRegularFiles() throws {
    let folder = folder.file("settings")
    let link = self.folder.file("link.plist")
    try storage.write([1], to: folder.appending(path: "a.plist"))
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    for file in [folder, link] {
      let error = #expect(throws: Graph.StoreError.self) { try storage.deleteFile(at: file) }
      #expect(error?.code == .unsafePath)
      #expect(error?.message.contains("'\(file.path)'") == true)
    }
    #expect(try storage.data(for: folder.appending(path: "a.plist")) == [1])
  }

  @Test func concurrentReadersSeeCompleteValues() async throws {
    let file = folder.file("settings.plist")
    try storage.write(Settings(name: "", sizes: []), to: file)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for round in 0..<25 {
            let sizes = Array(repeating: writer, count: round * 40)
            try storage.write(Settings(name: "\(writer)", sizes: sizes), to: file)
          }
        }
        group.addTask {
          for _ in 0..<50 {
            let settings: Settings = try #require(try storage.data(for: file))
            #expect(settings.sizes.allSatisfy { "\($0)" == settings.name })
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
