import Foundation
import GraphJSON

extension Graph {
  /// The files of uploads: bodies while they are sent, and responses until a caller reads them. Each is
  /// readable by the user only (folder 0700, files 0600), and its name is the digest of the upload's key.
  struct UploadFolder: Sendable {
    let url: URL

    init(url: URL) { self.url = url }

    /// The folder of the session with that identifier, in `parent`, which may contain other files. An
    /// identifier may have characters that a path cannot have.
    init(of identifier: String, in parent: URL) {
      url = parent.appendingPathComponent(SHA256.hexDigest(identifier))
    }

    /// Writes a form. The session reads the file, also after this process has ended.
    ///
    /// - Returns: the file.
    /// - Throws: ``TransportError``: `invalidRequest` or `cannotWriteFile`.
    func writeBody(_ form: MultipartForm, of key: String) throws -> URL {
      do {
        try create()
        removeBody(of: key)
        let file = bodyFile(key)
        try form.write(to: file) {}
        try protect(file)
        return file
      } catch {
        removeBody(of: key)
        throw error as? TransportError ?? .cannotWriteFile(error)
      }
    }

    func removeBody(of key: String) { try? FileManager.default.removeItem(at: bodyFile(key)) }

    func hasBody(of key: String) -> Bool {
      FileManager.default.fileExists(atPath: bodyFile(key).path)
    }

    func keep(_ response: UploadResponse, of key: String) throws {
      try create()
      try PrivateFile.write(response.encoded, to: responseFile(key), in: url)
      try protect(responseFile(key))
    }

    /// The response that was kept; nil if there is none, or if it cannot be read.
    func response(of key: String) -> UploadResponse? {
      (try? Data(contentsOf: responseFile(key))).flatMap { UploadResponse([UInt8]($0)) }
    }

    func removeResponse(of key: String) {
      try? FileManager.default.removeItem(at: responseFile(key))
    }

    /// Removes all files that can be removed. The folder keeps its attributes.
    ///
    /// - Throws: the first error.
    func removeAll() throws {
      guard FileManager.default.fileExists(atPath: url.path) else { return }
      var failure: (any Error)?
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
        let file = url.appendingPathComponent(name)
        do {
          try FileManager.default.removeItem(at: file)
        } catch  where FileManager.default.fileExists(atPath: file.path) {
          failure = failure ?? error
        } catch {
          // An upload that ended has removed it.
        }
      }
      if let failure { throw failure }
    }

    /// Creates the folder if the app or the system has removed it. Backups leave it out.
    private func create() throws {
      try PrivateFile.createFolder(url)
      try protect(url)
      #if canImport(Darwin)
        var folder = url
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
      #endif
    }

    /// The system reads bodies, and the app writes responses, while the device is locked.
    private func protect(_ file: URL) throws {
      #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: file.path)
      #endif
    }

    /// Removes files that were last changed before `date`, except for the bodies of `keys`.
    func removeFiles(before date: Date, exceptBodiesOf keys: Set<String>) {
      let manager = FileManager.default
      let bodies = Set(keys.map { bodyFile($0).lastPathComponent })
      for name in (try? manager.contentsOfDirectory(atPath: url.path)) ?? []
      where !bodies.contains(name) {
        let file = url.appendingPathComponent(name)
        let changed = try? manager.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        if changed.map({ $0 < date }) ?? false { try? manager.removeItem(at: file) }
      }
    }

    private func bodyFile(_ key: String) -> URL { file(key, "body") }
    private func responseFile(_ key: String) -> URL { file(key, "response") }

    private func file(_ key: String, _ suffix: String) -> URL {
      url.appendingPathComponent("\(SHA256.hexDigest(key)).\(suffix)")
    }
  }

  /// A whole response: in a file, a line of JSON with the head, and the body.
  struct UploadResponse: Sendable, Equatable {
    let status: Int
    let headers: Headers
    let url: URL
    let bytes: [UInt8]

    var http: HTTPResponse {
      HTTPResponse(status: status, headers: headers, url: url, body: HTTPResponse.Body(bytes))
    }
  }
}

extension Graph.UploadResponse {
  fileprivate var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.value([
      "status": JSON(Int64(status)), "url": .string(url.absoluteString),
      "headers": .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) }),
    ])
    return writer.finish() + [UInt8(ascii: "\n")] + bytes
  }

  fileprivate init?(_ encoded: [UInt8]) {
    guard let end = encoded.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(encoded[..<end])).root,
      let status = head["status"]?.int, let url = head["url"]?.string.flatMap(URL.init(string:))
    else { return nil }
    let fields = (head["headers"]?.array ?? []).compactMap { field -> Graph.Headers.Field? in
      let parts = (field.array ?? []).compactMap(\.string)
      return parts.count == 2 ? Graph.Headers.Field(name: parts[0], value: parts[1]) : nil
    }
    self.init(
      status: Int(status), headers: Graph.Headers(fields), url: url,
      bytes: Array(encoded[(end + 1)...]))
  }
}
