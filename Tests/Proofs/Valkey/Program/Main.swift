import Foundation
import GraphClient
import GraphValkey

/// Uses a real server, for the suite `valkey`.
@main
enum ValkeyProof {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2 else { return usage() }
    let socket = URL(filePath: arguments[1])
    switch (arguments[0], arguments.count) {
    case ("ask", 4):
      try await Ask(
        socket: socket, folder: URL(filePath: arguments[2]), delay: number(arguments[3])
      ).run()
    case ("identity", 3):
      try await IdentityProof(socket: socket, requests: number(arguments[2])).run()
    case ("load", 6):
      try await LoadProof(
        socket: socket, kind: arguments[2], seconds: number(arguments[3]),
        pause: .microseconds(number(arguments[4])), mark: URL(filePath: arguments[5])
      ).run()
    case ("hit", 5):
      try await HitMeter(
        socket: socket, bytes: number(arguments[2]), rounds: number(arguments[3]),
        isCompressed: arguments[4] == "compressed"
      ).run()
    case ("limited", 5):
      try await LimitedProof(
        socket: socket, endpoint: arguments[2], kind: arguments[3], requests: number(arguments[4])
      ).run()
    default: usage()
    }
  }

  private static func usage() {
    print(
      "usage: valkey-proof ask SOCKET FOLDER MILLISECONDS | identity SOCKET REQUESTS"
        + " | load SOCKET none|memory|shared|coherent SECONDS MICROSECONDS MARK | hit SOCKET BYTES ROUNDS compressed|plain"
        + " | limited SOCKET ENDPOINT none|memory|shared REQUESTS")
    exit(2)
  }

  private static func number(_ text: String) -> Int { Int(text) ?? 0 }
}

func fail(_ message: String) -> Never {
  print("FAILED: \(message)")
  exit(1)
}
