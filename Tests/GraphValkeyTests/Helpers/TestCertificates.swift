import Foundation
import TestSupport
import Testing

/// An authority in a temporary folder, and certificates of it, which OpenSSL's program makes.
struct TestCertificates {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Authority")
  }

  func file(_ name: String) -> URL { folder.file(name) }

  func openssl(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder.url
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(arguments)")
  }

  /// Makes a certificate and its key.
  ///
  /// - Parameter names: as in OpenSSL's configuration, such as `DNS:cache.example`.
  func make(_ name: String, names: String) throws {
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)")
    try Data("subjectAltName=\(names)\n".utf8).write(to: file("\(name).ext"))
    try openssl(
      "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key",
      "-CAcreateserial", "-out", "\(name).pem", "-days", "2", "-extfile", "\(name).ext")
  }

  /// The settings of a server or a sentinel with a certificate, each a name and a value.
  func settings(_ name: String, port: Int) -> [(name: String, value: String)] {
    [
      ("tls-port", "\(port)"), ("tls-cert-file", file("\(name).pem").path),
      ("tls-key-file", file("\(name).key").path), ("tls-ca-cert-file", file("ca.pem").path),
    ]
  }

  /// The arguments of a server with a certificate.
  func server(_ name: String, port: Int, _ others: [String]) -> [String] {
    settings(name, port: port).flatMap { ["--\($0.name)", $0.value] } + others
  }
}
