import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph.TransportError {
  /// A ``TransportError`` for an error of URLSession.
  ///
  /// The code and text of the cause are kept. Its other entries contain the address, whose user
  /// information and query may be secrets.
  init(urlSession error: any Error) {
    let text = [NSLocalizedDescriptionKey: error.localizedDescription]
    guard let urlError = error as? URLError else {
      let error = error as NSError
      self.init(
        .connectionLost, message: "the transfer failed",
        underlying: NSError(domain: error.domain, code: error.code, userInfo: text),
        bytesSent: true)
      return
    }
    let (code, message, bytesSent) = Self.meaning(urlError.code)
    self.init(
      code, message: "\(message) (URLError \(urlError.errorCode))",
      underlying: URLError(urlError.code, userInfo: text), bytesSent: bytesSent)
  }

  private static func meaning(_ code: URLError.Code) -> (Code, String, bytesSent: Bool) {
    switch code {
    case .cannotFindHost, .dnsLookupFailed:
      (.cannotConnect, "the host's name cannot be resolved", false)
    case .cannotConnectToHost:
      (.cannotConnect, "the connection to the endpoint could not be established", false)
    case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
      (.cannotConnect, "there is no network connection", false)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired:
      (.tls, "the secure connection could not be established", false)
    case .appTransportSecurityRequiresSecureConnection:
      (.tls, "the platform requires a secure connection", false)
    case .timedOut: (.timedOut, "the request timed out", true)
    case .cancelled: (.cancelled, "the request was cancelled", true)
    case .badURL, .unsupportedURL: (.invalidRequest, "the endpoint's URL is invalid", false)
    case .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
      (.invalidResponse, "the response cannot be decoded", true)
    case .dataLengthExceedsMaximum: (.tooLarge, "the response is too large", true)
    default: (.connectionLost, "the connection was lost", true)
    }
  }
}
