/// libcurl's codes for the results of transfers (libcurl-errors).
enum CurlCode {
  static let success: CInt = 0
  static let timedOut: CInt = 28
  static let proxy: CInt = 97

  /// Why a transfer failed.
  static func reason(_ code: CInt) -> String {
    switch code {
    case 6: "the host name cannot be resolved"
    case 7: "the host does not accept connections"
    case 5, proxy: "the proxy refuses the connection"
    case 60: "the server's certificate is not trusted"
    // The handshake, engines, ciphers, certificates, their authorities and revocation.
    case 35, 53, 54, 58, 59, 64, 66, 77, 80, 82, 83, 90, 91, 98:
      "the secure connection could not be established"
    // The first is for a response without a status line; 43 for a line of a head that is not a field.
    case 1, 8, 43, 61: "the response is not HTTP"
    case 16, 18, 52, 55, 56, 92: "the connection was lost"
    default: "the request failed (code \(code) of libcurl)"
    }
  }
}
