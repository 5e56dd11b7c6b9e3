import GraphClient
import Testing

/// The network transports of this platform.
enum TransportKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case urlSession
  #if !canImport(Darwin)
    case libcurl
  #endif

  var testDescription: String { rawValue }

  func make() -> any Graph.Transport {
    switch self {
    case .urlSession: Graph.URLSessionTransport()
    #if !canImport(Darwin)
      case .libcurl: Graph.CurlTransport()
    #endif
    }
  }
}
