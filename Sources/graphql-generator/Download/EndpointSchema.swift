import GraphQLSchema

/// The schema of a service, with progress on the terminal.
struct EndpointSchema {
  let endpoint: Endpoint
  let headers: [Header]
  let limits: HTTPLimits
  let console: Console

  /// Downloads the schema. Returns nil after an error, which was reported without secrets.
  func download() throws -> ServiceSchema? {
    let progress = TransferProgress(console: console)
    let client = HTTPClient(
      endpoint: endpoint, headers: headers, limits: limits, progress: progress.show)
    do {
      defer { progress.erase() }
      return try SchemaDownload(client: client).schema()
    } catch let error as DownloadError {
      console.report(error.diagnostic(endpoint: endpoint.shown))
    } catch let error as Diagnostics {
      let redact = Redaction(headers)
      for diagnostic in error.elements { console.report(redact(diagnostic.description)) }
    }
    return nil
  }
}

/// One line on a terminal that shows how much has arrived.
struct TransferProgress {
  let console: Console

  func show(_ byteCount: Int) {
    guard console.isWatched else { return }
    console.error("\(Self.eraseLine)Downloading the schema… \(byteCount / 1_024) KiB")
  }

  func erase() {
    if console.isWatched { console.error(Self.eraseLine) }
  }

  private static let eraseLine = "\r\u{1B}[K"
}
