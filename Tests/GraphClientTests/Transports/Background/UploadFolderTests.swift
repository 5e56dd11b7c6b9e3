import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

struct UploadFolderTests {
  private let parent: TemporaryFolder

  init() throws { parent = try TemporaryFolder() }

  private func keep(_ key: String, in folder: Graph.UploadFolder) throws {
    let url = try #require(URL(string: "http://localhost/"))
    try folder.keep(
      Graph.UploadResponse(status: 200, headers: [:], url: url, bytes: []), of: key)
  }

  @Test(arguments: ["", ".", "..", "../../elsewhere", "a/b", "a", "/", "\u{0}", "é%2F", "A"])
  func eachIdentifierHasItsOwnFolder(_ identifier: String) throws {
    let folder = Graph.UploadFolder(of: identifier, in: parent.url)
    #expect(
      folder.url.standardizedFileURL.deletingLastPathComponent().path
        == parent.url.standardizedFileURL.path)
    let other = Graph.UploadFolder(of: "a/b/c", in: parent.url)
    try keep("k", in: folder)
    try keep("k", in: other)
    try folder.removeAll()
    #expect(folder.response(of: "k") == nil && other.response(of: "k") != nil)
  }

  @Test func filesOfTheAppStay() throws {
    let file = parent.url.appendingPathComponent("own")
    try Data().write(to: file)
    let folder = Graph.UploadFolder(of: "session", in: parent.url)
    try keep("k", in: folder)
    folder.removeFiles(before: .distantFuture, exceptBodiesOf: [])
    try folder.removeAll()
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  /// Uploads that end remove their files at the same time.
  @Test func anotherThreadMayRemoveFilesMeanwhile() async throws {
    let folder = Graph.UploadFolder(of: "session", in: parent.url)
    for _ in 0..<20 {
      for number in 0..<50 { try keep("\(number)", in: folder) }
      async let others: Void = {
        for number in 0..<50 { folder.removeResponse(of: "\(number)") }
      }()
      try folder.removeAll()
      await others
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
  }

  /// An outbox retries this, and does not reject the operation.
  @Test func aBodyThatCannotBeWrittenIsNotAnInvalidRequest() throws {
    let file = parent.url.appendingPathComponent("file")
    try Data().write(to: file)
    let form = Graph.MultipartForm(
      parts: [.init(name: "0", fileName: "photo", content: .file(file))])
    let error = #expect(throws: Graph.TransportError.self) {
      try Graph.UploadFolder(of: "session", in: file).writeBody(form, of: "k")
    }
    #expect(error?.code == .cannotWriteFile && error?.bytesSent == false)
    let failure = #expect(throws: Graph.TransportError.self) {
      try form.write(to: file.appendingPathComponent("body")) {}
    }
    #expect(failure?.code == .cannotWriteFile && failure?.bytesSent == false)
  }

  /// A limit on the size of files acts as a full disk: writing fails after the file has been created.
  @Test func aFullDiskIsNotAnInvalidRequest() async {
    await #expect(processExitsWith: .success) {
      let parent = try TemporaryFolder()
      try Data(count: 100_000).write(to: parent.file("photo"))
      let form = Graph.MultipartForm(
        parts: [.init(name: "0", fileName: "photo", content: .file(parent.file("photo")))])
      let folder = Graph.UploadFolder(of: "session", in: parent.url)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      #if canImport(Glibc)
        #expect(setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0)
      #else
        #expect(setrlimit(RLIMIT_FSIZE, &limit) == 0)
      #endif
      let error = #expect(throws: Graph.TransportError.self) {
        try folder.writeBody(form, of: "k")
      }
      #expect(error?.code == .cannotWriteFile && error?.bytesSent == false)
      #expect(!folder.hasBody(of: "k"))
      // The copy of other transports.
      let failure = await #expect(throws: Graph.TransportError.self) {
        _ = try await Graph.UploadFile(.multipart(form))
      }
      #expect(failure?.code == .cannotWriteFile && failure?.bytesSent == false)
    }
  }

  /// A folder whose entries cannot be removed acts as a file that cannot be removed. It is not known in
  /// which order the files are removed.
  @Test func aFileThatCannotBeRemovedKeepsNoOther() async {
    await #expect(processExitsWith: .success) {
      // The superuser can remove every file.
      guard geteuid() != 0 || setuid(1) == 0 else { return }
      let folder = Graph.UploadFolder(of: "session", in: try TemporaryFolder().url)
      let url = try #require(URL(string: "http://localhost/"))
      let locked = (0..<10).map { folder.url.appendingPathComponent("locked\($0)") }
      for (number, inner) in locked.enumerated() {
        try folder.keep(
          Graph.UploadResponse(status: 200, headers: [:], url: url, bytes: []), of: "\(number)")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        try Data().write(to: inner.appendingPathComponent("entry"))
        #expect(chmod(inner.path, 0o500) == 0)
      }
      #expect(throws: (any Error).self) { try folder.removeAll() }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(names.sorted() == locked.map(\.lastPathComponent))
      for inner in locked { chmod(inner.path, 0o700) }
    }
  }
}
