import GraphJSON

extension Graph {
  /// The name and version of an app, by which a service recognizes and counts the app's requests.
  ///
  /// They are sent as the header fields `apollographql-client-name` and
  /// `apollographql-client-version`, which Apollo's and other services read. `clientLibrary` in the
  /// request's `extensions` then names this library and its version.
  public struct ClientIdentification: Sendable, Hashable {
    /// The name, such as `com.example.shop-ios`. Not a secret.
    public var name: String
    /// The version, such as `4.2 (381)`; nil sends none. Not a secret.
    public var version: String?

    /// The name and version of an app.
    public init(name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }
}

extension Graph.OperationRequest {
  /// Adds the fields of an identification that the request does not have yet.
  mutating func add(_ identification: Graph.ClientIdentification) {
    let fields = [
      ("apollographql-client-name", identification.name),
      ("apollographql-client-version", identification.version),
    ]
    for case (let field, let value?) in fields where headers[field] == nil {
      headers[field] = value
    }
    if extensions["clientLibrary"] == nil {
      extensions["clientLibrary"] = [
        "name": "treeswift", "version": .string(Graph.libraryVersion),
      ]
    }
  }
}
