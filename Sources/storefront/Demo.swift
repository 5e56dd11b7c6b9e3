import Foundation
import GraphClient

/// The product's main job in one command: typed queries, mutations, polling and a subscription,
/// answered by an endpoint inside the process, or by a real one.
///
/// Usage: storefront [--trace] [--endpoint URL] [--header 'Name: value' …] [--schema FILE]
@main
struct Demo {
  static func main() async {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.showsHelp { return print(Options.help) }
      let shop = try Shop(options)
      let acts = Acts(client: shop.client, embedded: shop.embedded, screen: Screen())
      try await acts.play()
    } catch let error as Options.Problem {
      Screen.complain("\(error.message)\n\(Options.help)")
      exit(2)
    } catch {
      Screen.complain("\(error)")
      exit(1)
    }
  }
}

/// The command line.
struct Options {
  var showsTrace = false
  var showsHelp = false
  var endpoint: URL?
  var headers = Graph.Headers()
  /// Where schema.json is; beside the package's sources unless stated.
  var schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "schema.json").path

  static let help = """
    usage: storefront [--trace] [--endpoint URL] [--header 'Name: value' ...] [--schema FILE]

      --trace     print what goes over the wire
      --endpoint  ask a server with this schema instead of the embedded one
      --header    a header field for that server; may be given several times
      --schema    the schema of the embedded endpoint (schema.json)
    """

  struct Problem: Error {
    let message: String
  }

  init(_ arguments: ArraySlice<String>) throws(Problem) {
    var rest = arguments
    while let name = rest.popFirst() {
      switch name {
      case "--trace": showsTrace = true
      case "--help", "-h": showsHelp = true
      case "--endpoint", "--header", "--schema":
        guard let value = rest.popFirst() else { throw Problem(message: "\(name) needs a value.") }
        try set(name, value)
      default: throw Problem(message: "There is no option \(name).")
      }
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(Problem) {
    switch name {
    case "--endpoint":
      guard let url = URL(string: value), url.scheme == "http" || url.scheme == "https" else {
        throw Problem(message: "--endpoint needs an http or https address.")
      }
      endpoint = url
    case "--header":
      guard let colon = value.firstIndex(of: ":") else {
        throw Problem(message: "--header needs 'Name: value'.")
      }
      headers[String(value[..<colon])] =
        value[value.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    default: schema = value
    }
  }
}
