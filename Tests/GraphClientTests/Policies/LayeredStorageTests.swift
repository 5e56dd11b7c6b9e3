import Foundation
import Testing

@testable import GraphClient

@Suite struct LayeredStorageTests {
  /// Apps on a Mac without a sandbox share the caches directory.
  @Test func standardDirectoryIsTheApps() {
    let caches = URL(fileURLWithPath: "/caches", isDirectory: true)
    func path(of app: String?) -> String {
      Graph.LayeredStorage.directory(in: caches, of: app).path
    }
    #expect(path(of: "com.example.shop") == "/caches/com.example.shop/GraphClient.responses")
    #expect(path(of: "com.example.shop") != path(of: "com.example.admin"))
    #expect(path(of: nil) == "/caches/GraphClient.responses")
    #expect(Graph.LayeredStorage.directory(in: nil, of: nil).isFileURL)
  }
}
