import Foundation
import GraphClient
import ServerBehavior

// Usage: server-behavior [GROUP [NAME]]
#if canImport(Darwin)
  print("libcurl carries requests on Linux only")
#else
  let wanted = CommandLine.arguments.dropFirst()
  let cases = ServerCase.all.filter { serverCase in
    wanted.isEmpty
      || wanted.first == serverCase.group
        && (wanted.count < 2 || wanted.last == serverCase.name)
  }
  var failureCount = 0
  for serverCase in cases {
    for use in TransportUse.all {
      let failure = try await use.failure(of: serverCase, on: Graph.CurlTransport())
      guard let failure else { continue }
      failureCount += 1
      print("FAILED \(serverCase.group), \(serverCase.name), \(use): \(failure)")
    }
  }
  print("\(cases.count) cases in \(TransportUse.all.count) ways, \(failureCount) failed")
  exit(failureCount == 0 && !cases.isEmpty ? 0 : 1)
#endif
