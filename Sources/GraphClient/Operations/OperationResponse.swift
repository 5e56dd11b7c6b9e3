import GraphJSON
import GraphQLRuntime

extension Graph {
  /// An answer to one attempt, as interceptors see it. Data and errors do not exclude each other.
  public struct OperationResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The answer's header fields.
    public let headers: Headers
    /// The entries of `errors`.
    public var reasons: [Reason] { content.reasons }
    /// What the server says beside, such as the cost of the operation.
    public var extensions: JSON? { content.extensions }
    /// nil when the operation could not be answered at all.
    public var data: GraphQL.AbstractResponse? { content.data }

    let content: OperationContent
    /// The response's JSON.
    let bytes: [UInt8]
  }
}

extension Graph.OperationResponse: CustomStringConvertible, CustomReflectable {
  /// The status and what came: no values, no secrets.
  public var description: String {
    "status \(status), \(data == nil ? "no data" : "data"), \(reasons.count) errors"
  }

  public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
