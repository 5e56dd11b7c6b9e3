import Foundation
import GraphClient

// Ends while requests over TLS are in progress, like a command-line tool that has its result.
//
// Usage: exit-during-requests URL AUTHORITY
#if canImport(Darwin)
  print("libcurl carries requests on Linux only")
#else
  guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: exit-during-requests URL AUTHORITY")
    exit(2)
  }
  var configuration = Graph.CurlConfiguration()
  configuration.trust = .only(URL(fileURLWithPath: CommandLine.arguments[2]))
  let (responses, received) = AsyncStream.makeStream(of: Int.self)
  for _ in 0..<8 {
    let transport = Graph.CurlTransport(configuration: configuration)
    for _ in 0..<4 {
      Task {
        while true {
          received.yield((try? await transport.send(.init(method: .get, url: url)))?.status ?? 0)
        }
      }
    }
  }
  var count = 0
  for await status in responses {
    guard status == 200 else { exit(3) }
    count += 1
    if count == 3 { exit(0) }
  }
#endif
