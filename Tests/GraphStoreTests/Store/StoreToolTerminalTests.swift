import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// `treeswift-store FILE --watch` in a pseudo-terminal.
@Suite struct StoreToolTerminalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A terminal of 12 rows and 60 columns.
  private struct PseudoTerminal {
    let descriptor: Int32
    let path: URL

    init() throws {
      // Swift does not see these functions of <stdlib.h> on Linux.
      let open = try Self.function("posix_openpt", (@convention(c) (Int32) -> Int32).self)
      let grant = try Self.function("grantpt", (@convention(c) (Int32) -> Int32).self)
      let unlock = try Self.function("unlockpt", (@convention(c) (Int32) -> Int32).self)
      let name = try Self.function(
        "ptsname", (@convention(c) (Int32) -> UnsafePointer<CChar>?).self)
      descriptor = open(O_RDWR | O_NOCTTY)
      try #require(descriptor >= 0 && grant(descriptor) == 0 && unlock(descriptor) == 0)
      path = URL(filePath: String(cString: try #require(name(descriptor))))
      var size = winsize(ws_row: 12, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    private static func function<Function>(_ name: String, _ type: Function.Type) throws -> Function
    {
      unsafeBitCast(try #require(dlsym(dlopen(nil, RTLD_NOW), name)), to: type)
    }

    /// The text that was written since the last call.
    func read() -> String {
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = Foundation.read(descriptor, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
  }

  @Test func drawsOneScreen() async throws {
    let store = try Graph.Store(schema: Sample.schema, file: folder.file())
    try await store.write(json: Array(#"{"id":"1","name":"Ann"}"#.utf8), as: Sample.Person.self)
    let terminal = try PseudoTerminal()
    let tool = try ChildProcess(
      BuiltTool("treeswift-store").url, ["test.store", "--watch"], in: folder.url,
      output: .file(terminal.path))
    var shown = ""
    func waitFor(_ text: String) async throws {
      try await wait {
        shown += terminal.read()
        return shown.contains(text)
      }
    }
    try await waitFor("Person 1\u{1B}[K")
    #expect(shown.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[H"))
    try await store.write(json: Array(#"{"id":"2","name":"Bea"}"#.utf8), as: Sample.Person.self)
    try await waitFor("added    Person:2")
    let screens = shown.components(separatedBy: "\u{1B}[H")
    for screen in screens.dropFirst() {
      let lines = screen.components(separatedBy: "\r\n")
      #expect(lines.count <= 12)
      #expect(lines.allSatisfy { $0.prefix { $0 != "\u{1B}" }.count <= 60 })
    }
    #expect(screens.last?.contains("Person 2\u{1B}[K") == true)
    tool.signal(SIGINT)
    try await waitFor("\u{1B}[?25h\u{1B}[?1049l")
    #expect(tool.wait() == .exit(0))
    withExtendedLifetime(store) {}
  }
}
