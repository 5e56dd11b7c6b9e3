import Foundation
import GraphClient
import TestSupport
import Testing

@testable import GraphValkey

/// A real sentinel that monitors one group with the name `shop`.
final class ValkeySentinel: Sendable {
  let address: Graph.ValkeyConfiguration.Address
  private let tls: Graph.ValkeyConfiguration.TLS?
  private let folder: URL
  private let process: ChildProcess

  /// - Parameters:
  ///   - master: the port of the master.
  ///   - quorum: how many sentinels must find the master dead.
  ///   - settings: further lines of its configuration.
  ///   - tls: how to connect to it, if its settings have a port for TLS. Its other port is closed then.
  init(
    master: Int, quorum: Int = 1, port: Int? = nil, downAfter: Int = 500, _ settings: [String] = [],
    credentials: Graph.ValkeyConfiguration.Credentials? = nil,
    tls: Graph.ValkeyConfiguration.TLS? = nil
  ) async throws {
    let program = try #require(ValkeyServer.program)
    let port = try port ?? freePort()
    address = .host("127.0.0.1", port: port)
    self.tls = tls
    folder = FileManager.default.temporaryDirectory
      .appending(path: "s\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "sentinel.conf")
    let lines =
      [
        "port \(tls == nil ? port : 0)", "dir \(folder.path)",
        "sentinel monitor shop 127.0.0.1 \(master) \(quorum)",
        "sentinel down-after-milliseconds shop \(downAfter)",
        "sentinel failover-timeout shop 1000",
      ] + settings
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
    process = try ChildProcess(program, [file.path, "--sentinel"], output: .null, error: nil)
    let valkey = try client(credentials)
    try await until("the sentinel responds") { (try? await valkey.ping()) != nil }
    // Sentinels find each other and the replicas in seconds, by default.
    for period in ["INFO-PERIOD", "PUBLISH-PERIOD", "ASK-PERIOD"] {
      _ = try? await valkey.run("SENTINEL", "DEBUG", period, "100")
    }
  }

  deinit {
    process.kill()
    process.wait()
    try? FileManager.default.removeItem(at: folder)
  }

  func signal(_ number: Int32) { process.signal(number) }

  func kill9() {
    process.kill()
    process.wait()
  }

  /// A client of the sentinel itself.
  func client(
    _ credentials: Graph.ValkeyConfiguration.Credentials? = nil
  ) throws -> Graph.Valkey {
    var configuration = Graph.ValkeyConfiguration(address, namespace: "sentinel")
    configuration.timeout = .seconds(5)
    configuration.credentials = credentials
    configuration.tls = tls
    configuration.checksHistory = false
    return try Graph.Valkey(configuration)
  }
}
