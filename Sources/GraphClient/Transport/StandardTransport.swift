import Foundation
import GraphQLRuntime

extension Graph {
  /// The transport of clients that are given none.
  enum StandardTransport {
    /// The transport over libcurl on Linux, where URLSession does not withstand every response, and
    /// URLSession on Apple platforms. Where libcurl is missing or too old, URLSession it is, and a line
    /// on standard error says so once.
    static func make() -> any Transport {
      #if canImport(Darwin)
        return URLSessionTransport()
      #else
        if CurlTransport.isAvailable { return CurlTransport.shared }
        _ = warning
        return URLSessionTransport()
      #endif
    }

    #if !canImport(Darwin)
      private static let warning: Void = {
        let line =
          "GraphClient: requests go over URLSession: \(TransportError.curlIsMissing.message)\n"
        FileHandle.standardError.write(Data(line.utf8))
      }()
    #endif
  }
}
