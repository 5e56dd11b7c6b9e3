import GraphQLSchema

/// `download-schema`: downloads a GraphQL service's schema, and writes it as an introspection
/// result or, to a file with an SDL extension, as SDL.
struct DownloadSchema {
  let options: DownloadSchemaOptions
  let files: FileAccess
  let console: Console
  var limits = HTTPLimits()

  func run() throws -> ExitStatus {
    let service = EndpointSchema(
      endpoint: options.endpoint, headers: options.headers, limits: limits, console: console)
    guard let schema = try service.download() else { return .problems }
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
