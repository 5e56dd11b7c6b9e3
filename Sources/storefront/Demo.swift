import Foundation
import GraphClient

/// The product's main features in one command: typed queries, mutations, polling and a
/// subscription, with a mock endpoint inside the process, or with a real one.
///
/// Usage: storefront [--trace] [--endpoint URL] [--header 'Name: value' …] [--schema FILE]
///                   [--store FILE [--offline]]
@main
struct Demo {
  static func main() async {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.showsHelp { return print(Options.help) }
      let shop = try Shop(options)
      let steps = DemoSteps(client: shop.client, embedded: shop.embedded, screen: Screen())
      let writes = try await shop.writes()
      if options.isOffline {
        let merchandise = try await steps.playOffline()
        try await writes?.queueCart(with: merchandise)
      } else {
        try await writes?.deliver()
        try await steps.play()
      }
    } catch let error as Options.Problem {
      Screen.printError("\(error.message)\n\(Options.help)")
      exit(2)
    } catch {
      Screen.printError("\(error)")
      exit(1)
    }
  }
}

/// The command line.
struct Options {
  var showsTrace = false
  var showsHelp = false
  /// Whether the endpoint is switched off.
  var isOffline = false
  /// The file that stores the objects of all responses.
  var store: URL?
  var endpoint: URL?
  var headers = Graph.Headers()
  /// The location of schema.json; next to the package's sources by default.
  var schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "schema.json").path

  static let help = """
    usage: storefront [--trace] [--endpoint URL] [--header 'Name: value' ...] [--schema FILE]
                      [--store FILE [--offline]]

      --trace     print requests and responses
      --endpoint  use a server with this schema instead of the embedded one
      --header    a header field for that server; may be given several times
      --schema    the schema of the embedded endpoint (schema.json)
      --store     store the objects of all responses in this file
      --offline   disable the endpoint: show the objects in the file, and queue a cart, which
                  the next launch without --offline sends
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
      case "--offline": isOffline = true
      case "--endpoint", "--header", "--schema", "--store":
        guard let value = rest.popFirst() else { throw Problem(message: "\(name) needs a value.") }
        try set(name, value)
      default: throw Problem(message: "There is no option \(name).")
      }
    }
    if isOffline, store == nil { throw Problem(message: "--offline needs --store FILE.") }
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
    case "--store": store = URL(filePath: value)
    default: schema = value
    }
  }
}
