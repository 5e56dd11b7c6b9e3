// Sends the given number of concurrent requests, and prints the cost of one.
//
// Usage: transport-load KIND QUERY PORT WIDTH COUNT
//        transport-load request|response QUERY
// Prints nanoseconds of time and of processor time per request; or the body of a request or
// response.
import Foundation
import GraphClient
import GraphQLRuntime
import StorefrontAPI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let arguments = CommandLine.arguments
guard arguments.count >= 3, let query = LoadQuery(rawValue: arguments[2]) else { exit(2) }
switch arguments[1] {
case "request":
  let request = try await query.request(to: URL(string: "http://localhost/")!)
  guard case .bytes(let bytes) = request.body else { exit(1) }
  FileHandle.standardOutput.write(Data(bytes))
case "response": FileHandle.standardOutput.write(Data(query.response))
default:
  guard arguments.count == 6, let port = UInt16(arguments[3]), let width = Int(arguments[4]),
    let count = Int(arguments[5]), let load = try await Load(arguments[1], query, port: port)
  else { exit(2) }
  _ = try await load.run(width: width, count: count / 10 + width)
  let (wall, processor) = try await load.run(width: width, count: count)
  print(Int(wall / Double(count) * 1e9), Int(processor / Double(count) * 1e9))
}
