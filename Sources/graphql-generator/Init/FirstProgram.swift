import GraphQLCodeGen

/// A program that sends a first query and prints a value of the response.
struct FirstProgram {
  /// The module of the schema.
  let module: String
  let query: FirstQuery
  /// nil: the user writes it into the program.
  let endpoint: Endpoint?
  let headers: [Header]

  var text: String {
    [imports, environmentFunction, client, query.building("query"), sending]
      .compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  /// Assignments of the variables that the program reads, for a command line, without the values:
  /// `GRAPHQL_AUTHORIZATION='Bearer …'`.
  var assignments: [String] {
    (endpointVariable.map { ["\($0)=…"] } ?? [])
      + zip(headerVariables, headers).map { variable, header in
        let scheme = header.value.split(separator: " ").first.map(String.init) ?? ""
        let isKnown = ["bearer", "basic", "token"].contains(scheme.lowercased())
        return isKnown ? "\(variable)='\(scheme) …'" : "\(variable)=…"
      }
  }

  private var imports: String {
    let modules = ["Foundation", "GraphClient", module].sorted()
    return "// A first query, written by `graphql-generator init`. This file is yours.\n"
      + modules.map { "import \($0)" }.joined(separator: "\n")
  }

  /// Tokens are neither written into a file nor shown.
  private var environmentFunction: String? {
    guard !assignments.isEmpty else { return nil }
    return """
      /// Values that may be secret come from the environment, so that no file contains them.
      func environment(_ name: String) -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else {
          print("Set \\(name) in the environment of this program.")
          exit(1)
        }
        return value
      }
      """
  }

  private var client: String {
    let comment = endpoint == nil ? "// Write the address of your service here.\n" : ""
    guard !headers.isEmpty else {
      return comment + "let client = Graph.Client(endpoint: \(url))"
    }
    let fields = zip(headers, headerVariables).map { header, variable in
      "    \(EscapedText.literal(header.name)): environment(\"\(variable)\")"
    }
    return comment + """
      let client = Graph.Client(
        endpoint: \(url),
        headers: [
      \(fields.joined(separator: ",\n")),
        ])
      """
  }

  private var url: String {
    let address =
      endpointVariable.map { "environment(\"\($0)\")" }
      ?? EscapedText.literal(endpoint?.address ?? "http://localhost:4000/graphql")
    return "URL(string: \(address))!"
  }

  private var sending: String {
    """
    do {
    \(request)
    } catch {
      print("The query failed: \\(error)")
      exit(1)
    }
    """
  }

  /// If fields may be null, the response may contain errors in addition to data.
  private var request: String {
    guard query.mayBeNull else {
      return """
          let root = try await client.query(query).requireData()
          \(query.printing("root"))
        """
    }
    return """
        let response = try await client.query(query)
        let root = try response.requireData()
        \(query.printing("root"))
        for error in response.errors { print("The service reports an error: \\(error.message)") }
      """
  }

  /// The query of an address may be a token.
  private var endpointVariable: String? {
    endpoint.flatMap { $0.address == $0.shown ? nil : "GRAPHQL_ENDPOINT" }
  }

  /// `GRAPHQL_AUTHORIZATION` for `Authorization`.
  private var headerVariables: [String] {
    var taken: Set = ["GRAPHQL_ENDPOINT"]
    return headers.map { header in
      let name = String(header.name.map { $0.isLetter || $0.isNumber ? $0 : "_" }).uppercased()
      var variable = "GRAPHQL_\(name)"
      while !taken.insert(variable).inserted { variable += "_" }
      return variable
    }
  }
}
