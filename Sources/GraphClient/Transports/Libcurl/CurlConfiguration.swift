#if !canImport(Darwin)
  import Foundation

  extension Graph {
    /// How a ``CurlTransport`` connects.
    public struct CurlConfiguration: Sendable {
      /// The authorities that may sign a server's certificate.
      public struct Trust: Sendable {
        enum Kind: Sendable {
          case system
          case systemAnd(URL)
          case only(URL)
        }

        let kind: Kind

        /// The authorities that the system trusts.
        public static let system = Trust(kind: .system)

        /// The authorities that the system trusts, and those in a PEM file.
        public static func system(and file: URL) -> Trust { Trust(kind: .systemAnd(file)) }

        /// Only the authorities in a PEM file.
        public static func only(_ file: URL) -> Trust { Trust(kind: .only(file)) }
      }

      /// The certificate with which the client identifies itself to servers that request one.
      public struct ClientCertificate: Sendable {
        /// A PEM file with the certificate, and the intermediate certificates up to the root.
        public var certificate: URL
        /// A PEM file with the certificate's key.
        public var key: URL
        /// The password of the key's file, if it has one.
        public var password: String?

        /// A certificate and its key.
        public init(certificate: URL, key: URL, password: String? = nil) {
          self.certificate = certificate
          self.key = key
          self.password = password
        }
      }

      /// Which redirects are followed.
      public var redirects = RedirectPolicy.standard
      /// The maximum number of unread bytes of a response, decoded, before the server has to wait.
      public var maximumUnreadBytes = 1 << 20
      /// The maximum number of concurrent connections to one host. Further requests wait for one of
      /// them; one connection over HTTP/2 carries many.
      public var maximumConnectionsPerHost = 16
      /// The number of connections that are kept open without a request.
      public var maximumIdleConnections = 64
      /// The path of a Unix domain socket to which the transport connects instead of each request's
      /// host, such as that of a proxy on the same machine.
      public var unixSocket: String?
      /// The authorities that may sign a server's certificate.
      public var trust = Trust.system
      /// The client's certificate, for servers that request one.
      public var clientCertificate: ClientCertificate?

      /// The standard configuration.
      public init() {}
    }
  }

  extension Graph.CurlConfiguration.ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// The files, without the password.
    public var description: String { "\(certificate.path), \(key.path)" }

    public var customMirror: Mirror { Mirror(self, children: ["files": description]) }
  }
#endif
