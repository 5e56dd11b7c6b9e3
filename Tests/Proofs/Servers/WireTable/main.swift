import Foundation
import GraphClient
import Wire

// Usage: wire-table [GROUP [NAME]]
#if canImport(Darwin)
  print("libcurl carries requests on Linux only")
#else
  let wanted = CommandLine.arguments.dropFirst()
  let cases = WireCase.all.filter { wireCase in
    wanted.isEmpty
      || wanted.first == wireCase.group
        && (wanted.count < 2 || wanted.last == wireCase.name)
  }
  var failureCount = 0
  for wireCase in cases {
    for use in WireUse.all {
      let failure = try await use.failure(of: wireCase, on: Graph.CurlTransport())
      guard let failure else { continue }
      failureCount += 1
      print("FAILED \(wireCase.group), \(wireCase.name), \(use): \(failure)")
    }
  }
  print("\(cases.count) cases in \(WireUse.all.count) ways, \(failureCount) failed")
  exit(failureCount == 0 && !cases.isEmpty ? 0 : 1)
#endif
