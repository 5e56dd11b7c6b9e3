import Foundation
import GraphClient
import GraphValkey

/// Uses a real server, for the suite `valkey`.
@main
enum ValkeyProof {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2 else { return usage() }
    let server = server(at: arguments[1])
    switch (arguments[0], arguments.count) {
    case ("ask", 4):
      try await Ask(
        server: server, folder: URL(filePath: arguments[2]), delay: number(arguments[3])
      ).run()
    case ("identity", 3):
      try await IdentityProof(server: server, requests: number(arguments[2])).run()
    case ("load", 6):
      try await LoadProof(
        server: server, kind: arguments[2], seconds: number(arguments[3]),
        pause: .microseconds(number(arguments[4])), mark: URL(filePath: arguments[5])
      ).run()
    case ("hit", 5):
      try await HitMeter(
        server: server, bytes: number(arguments[2]), rounds: number(arguments[3]),
        isCompressed: arguments[4] == "compressed"
      ).run()
    case ("limited", 5):
      try await LimitedProof(
        server: server, endpoint: arguments[2], kind: arguments[3], requests: number(arguments[4])
      ).run()
    default: usage()
    }
  }

  /// The path of a socket, or the ports of the nodes of a cluster or of sentinels.
  private static func server(at text: String) -> Graph.ValkeyConfiguration.Topology {
    let parts = text.split(separator: ":")
    guard parts.count == 2 else { return .server(.socket(URL(filePath: text))) }
    let addresses = parts[1].split(separator: ",").map {
      Graph.ValkeyConfiguration.Address.host("127.0.0.1", port: number(String($0)))
    }
    return parts[0] == "cluster"
      ? .cluster(nodes: addresses, shards: 3) : .sentinel(master: "shop", sentinels: addresses)
  }

  private static func usage() {
    print(
      "usage: valkey-proof ask SERVER FOLDER MILLISECONDS | identity SERVER REQUESTS"
        + " | load SERVER none|memory|shared|coherent SECONDS MICROSECONDS MARK | hit SERVER BYTES ROUNDS compressed|plain"
        + " | limited SERVER ENDPOINT none|memory|shared REQUESTS")
    exit(2)
  }

  private static func number(_ text: String) -> Int { Int(text) ?? 0 }
}

func fail(_ message: String) -> Never {
  print("FAILED: \(message)")
  exit(1)
}
