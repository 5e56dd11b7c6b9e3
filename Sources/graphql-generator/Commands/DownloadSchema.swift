import GraphQLSchema

/// `download-schema`: downloads a GraphQL service's schema, and writes it as an introspection
/// result or, to a file with an SDL extension, as SDL.
struct DownloadSchema {
  let options: DownloadSchemaOptions
  let files: FileAccess
  let console: Console
  var limits = HTTPLimits()

  func run() throws -> ExitStatus {
    let progress = TransferProgress(console: console)
    let client = HTTPClient(
      endpoint: options.endpoint, headers: options.headers, limits: limits,
      progress: progress.show)
    defer { progress.erase() }
    let schema: Schema
    do {
      schema = try SchemaDownload(client: client).schema()
    } catch let error as DownloadError {
      progress.erase()
      console.report(error.diagnostic(endpoint: options.endpoint.shown))
      return .problems
    } catch let error as Diagnostics {
      progress.erase()
      let redact = Redaction(options.headers)
      for diagnostic in error.elements { console.report(redact(diagnostic.description)) }
      return .problems
    }
    progress.erase()
    guard let output = options.output else {
      try console.write(schema.introspectionResult() + [UInt8(ascii: "\n")])
      return .success
    }
    let isSDL = output.hasSuffix(".graphqls") || output.hasSuffix(".graphql")
    try files.write(
      isSDL ? Array(schema.sdl.utf8) : schema.introspectionResult() + [UInt8(ascii: "\n")],
      to: output)
    try console.write("\(schema.types.count) types in \(output)")
    return .success
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
