import Foundation
import GraphClient
import TestSupport
import Testing

@testable import GraphValkey

/// A real server in a temporary folder, with a Unix domain socket and without a port.
final class ValkeyServer: Sendable {
  let folder: URL
  private let process: ChildProcess
  /// The path is short, since the name of a socket has at most 107 bytes.
  var socket: URL { folder.appending(path: "s") }

  static let program: URL? = {
    let names = ["redis-server", "valkey-server"]
    let folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    return folders.lazy.flatMap { folder in names.map { URL(filePath: "\(folder)/\($0)") } }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  /// The reason why the tests cannot run here.
  static var missing: String? {
    // Deadlines of milliseconds pass before they run among all other tests.
    if ProcessInfo.processInfo.environment["TREESWIFT_VALKEY"] == nil {
      return "they measure time, so they run by themselves; type: Tests/run valkey"
    }
    if program == nil { return "redis-server is missing; type: sudo apt-get install redis-server" }
    return Graph.Valkey.isSupported ? nil : Graph.ValkeyError.hiredisIsMissing.message
  }

  init(in folder: URL? = nil, _ arguments: [String] = []) async throws {
    let program = try #require(Self.program)
    self.folder =
      folder
      ?? FileManager.default.temporaryDirectory.appending(path: "v\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    process = try ChildProcess(
      program,
      [
        "--port", "0", "--unixsocket", self.folder.appending(path: "s").path, "--save", "",
        "--dir", self.folder.path, "--daemonize", "no",
      ] + arguments, output: .null, error: nil)
    // The socket exists a moment before it accepts connections.
    try await until("the server accepts connections") {
      let descriptor = Graph.ValkeyConfiguration.Address.socket(socket).connect(within: .seconds(1))
      guard descriptor >= 0 else { return false }
      close(descriptor)
      return true
    }
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// As if the machine failed.
  func kill9() {
    process.kill()
    process.wait()
    try? FileManager.default.removeItem(at: socket)
  }

  deinit {
    process.kill()
    process.wait()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A client with time for a busy machine.
  func client(
    namespace: String = "test", _ change: (inout Graph.ValkeyConfiguration) -> Void = { _ in }
  ) throws -> Graph.Valkey {
    var configuration = Graph.ValkeyConfiguration(.socket(socket), namespace: namespace)
    configuration.timeout = .seconds(5)
    change(&configuration)
    return try Graph.Valkey(configuration)
  }
}

/// Waits for a condition.
func until(
  _ name: String, within limit: Duration = .seconds(20), _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    try #require(ContinuousClock.now < end, "not within \(limit): \(name)")
    try await Task.sleep(for: .milliseconds(5))
  }
}

extension Trait where Self == ConditionTrait {
  static var needsServer: Self {
    .enabled(if: ValkeyServer.missing == nil, Comment(rawValue: ValkeyServer.missing ?? ""))
  }
}

extension Graph.Valkey {
  /// The code of the error of a ping; nil if the server has responded.
  func pingFailure() async -> Graph.ValkeyError.Code? {
    do throws(Graph.ValkeyError) {
      try await ping()
      return nil
    } catch {
      return error.code
    }
  }

  /// The number of lookups that the server has carried out.
  func lookupCount() async throws -> Int {
    let text = try await run("INFO", "commandstats").text ?? ""
    let line = text.split(separator: "\r\n").first { $0.hasPrefix("cmdstat_mget:calls=") }
    return line.flatMap { Int($0.dropFirst(19).prefix { $0 != "," }) } ?? 0
  }

  /// The value of one command.
  @discardableResult
  func run(_ arguments: String..., timeout: Duration? = nil) async throws -> ValkeyValue {
    var commands = ValkeyCommands()
    commands.append(arguments.map { .init(text: $0) })
    return try await send(commands, timeout: timeout)[0].checked()
  }

  /// The first shard, which is the only one without a cluster.
  var shard: ValkeyShard { shards.all[0] }

  func send(_ commands: ValkeyCommands, timeout: Duration? = nil) async throws -> [ValkeyValue] {
    try await shard.send(commands, timeout: timeout)
  }
}

extension Graph.ValkeyStorage {
  var keys: ValkeyKeys { valkey.shard.keys }
}

func key(_ name: String, scope: String = "scope") -> Graph.CacheKey {
  Graph.CacheKey(scope: scope, name: name)
}

func response(_ json: String) -> Graph.CachedResponse {
  Graph.CachedResponse(bytes: Array(json.utf8), storedAt: .now)
}
