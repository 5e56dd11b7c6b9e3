#if !canImport(Darwin)
  import Foundation

  extension Graph {
    /// How a ``CurlTransport`` connects.
    public struct CurlConfiguration: Sendable {
      /// The authorities whose certificates a server may have.
      public struct Trust: Sendable {
        enum Kind: Sendable {
          case system
          case systemAnd(URL)
          case only(URL)
        }

        let kind: Kind

        /// The authorities that the system trusts.
        public static let system = Trust(kind: .system)

        /// Those that the system trusts, and those of a PEM file.
        public static func system(and file: URL) -> Trust { Trust(kind: .systemAnd(file)) }

        /// Those of a PEM file, in place of the system's.
        public static func only(_ file: URL) -> Trust { Trust(kind: .only(file)) }
      }

      /// The certificate with which the client identifies itself to servers that ask for one.
      public struct ClientCertificate: Sendable {
        /// A PEM file with the certificate, and those of the authorities between it and the root.
        public var certificate: URL
        /// A PEM file with the certificate's key.
        public var key: URL
        /// The password of the key's file, where it has one.
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
      /// The number of bytes of a response, decoded, that may wait to be read before the server is
      /// held back.
      public var maximumUnreadBytes = 1 << 20
      /// The number of connections to one host at the same time. More requests wait for one of them;
      /// one connection over HTTP/2 carries many.
      public var maximumConnectionsPerHost = 16
      /// The number of connections that are kept open without a request.
      public var maximumIdleConnections = 64
      /// The path of a Unix domain socket that is connected to in place of each request's host, as
      /// that of a proxy on the same machine.
      public var unixSocket: String?
      /// The authorities whose certificates a server may have.
      public var trust = Trust.system
      /// The client's certificate, for servers that ask for one.
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
