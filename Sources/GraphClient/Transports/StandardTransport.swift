import Foundation
import GraphQLRuntime

extension Graph {
  /// The transport of clients that are created without one, for wrappers of it.
  ///
  /// It is ``CurlTransport/shared`` on Linux, where URLSession can crash on some responses, and a
  /// ``URLSessionTransport`` on Apple platforms. If libcurl is missing or too old, URLSession is
  /// used, and one line on standard error reports that.
  public static func standardTransport() -> any Transport {
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
        "GraphClient: requests use URLSession: \(TransportError.curlIsMissing.message)\n"
      FileHandle.standardError.write(Data(line.utf8))
    }()
  #endif
}
