#if !canImport(Darwin)
  import Foundation
  import TestSupport
  import Testing

  /// Valid and invalid certificates, which the openssl tool creates.
  struct TestAuthority {
    /// Without the tool, tests that need it are skipped, but not in CI.
    static let isAvailable =
      ProcessInfo.processInfo.environment["CI"] != nil || OpenSSL.path != nil
    static let absence: Comment = "needs the openssl tool"

    /// Created once for all tests.
    static let shared = Result { try TestAuthority() }

    let folder: URL

    /// The PEM file of a certificate.
    func certificate(_ name: String) -> URL { folder.appending(path: "\(name).pem") }
    /// The PEM file of a certificate's key.
    func key(_ name: String) -> URL { folder.appending(path: "\(name).key") }

    private init() throws {
      folder = try TemporaryFolder().url
      try Data(Self.settings.utf8).write(to: folder.appending(path: "ca.conf"))
      try Data().write(to: folder.appending(path: "index"))
      try Data("01\n".utf8).write(to: folder.appending(path: "serial"))
      for name in ["authority", "stranger"] { try makeAuthority(name) }
      let names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
      try makeSelfSigned("selfsigned", names)
      try sign("good", names)
      try sign("expired", names, from: "20000101", to: "20010101")
      try sign("future", names, from: "20900101", to: "20910101")
      try sign("elsewhere", "subjectAltName=DNS:elsewhere.example")
      try sign("unnamed", "keyUsage=digitalSignature")
      try sign("unknown", names, by: "stranger")
      try sign("clientonly", "\(names)\nextendedKeyUsage=clientAuth")
      try sign("client", "extendedKeyUsage=clientAuth")
      try sign("otherclient", "extendedKeyUsage=clientAuth", by: "stranger")
      try sign("expiredclient", "extendedKeyUsage=clientAuth", from: "20000101", to: "20010101")
      try OpenSSL.run(
        ["ec", "-aes256", "-in", "client.key", "-out", "locked.key", "-passout", "pass:secret"],
        in: folder)
    }

    private static let settings = """
      [ca]
      default_ca = test
      [test]
      new_certs_dir = .
      database = index
      serial = serial
      default_md = sha256
      policy = any
      unique_subject = no
      [any]
      commonName = supplied
      """

    private static let newKey = [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
    ]

    private func makeAuthority(_ name: String) throws {
      try makeSelfSigned(name, "keyUsage=critical,keyCertSign")
    }

    private func makeSelfSigned(_ name: String, _ extensions: String) throws {
      try OpenSSL.run(
        ["req", "-x509"] + Self.newKey + [
          "-days", "2", "-subj", "/CN=Test \(name)", "-addext", extensions, "-keyout",
          "\(name).key", "-out", "\(name).pem",
        ], in: folder)
    }

    private func sign(
      _ name: String, _ extensions: String, by authority: String = "authority",
      from start: String = "20200101", to end: String = "20990101"
    ) throws {
      let file = folder.appending(path: "\(name).ext")
      try Data("\(extensions)\n".utf8).write(to: file)
      try OpenSSL.run(
        ["req"] + Self.newKey + [
          "-subj", "/CN=Test \(name)", "-keyout", "\(name).key", "-out", "\(name).csr",
        ], in: folder)
      try OpenSSL.run(
        [
          "ca", "-batch", "-notext", "-config", "ca.conf", "-cert", "\(authority).pem", "-keyfile",
          "\(authority).key", "-startdate", "\(start)000000Z", "-enddate", "\(end)000000Z",
          "-extfile", file.path, "-in", "\(name).csr", "-out", "\(name).pem",
        ], in: folder)
    }
  }

  /// The openssl tool.
  enum OpenSSL {
    static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
      .split(separator: ":").map { "\($0)/openssl" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    static func start(
      _ arguments: [String], in folder: URL, input: ChildProcess.Stream = .null,
      error: ChildProcess.Stream? = nil
    ) throws -> ChildProcess {
      guard let path else { throw Failure(description: "there is no openssl tool in PATH") }
      return try ChildProcess(
        URL(filePath: path), arguments, in: folder, input: input, output: .pipe, error: error)
    }

    static func run(_ arguments: [String], in folder: URL) throws {
      let (end, text) = try start(arguments, in: folder).collect()
      guard end == .exit(0) else {
        throw Failure(description: "openssl \(arguments[0]): \(text)")
      }
    }
  }
#endif
