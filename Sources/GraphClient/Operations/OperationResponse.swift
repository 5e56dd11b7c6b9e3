import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The response to one attempt, as interceptors receive it. It can have both data and errors.
  public struct OperationResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The response's header fields.
    public let headers: Headers
    /// The entries of `errors`.
    public var errors: [GraphQL.ResponseError] { content.errors }
    /// Additional information from the server, such as the cost of the operation.
    public var extensions: JSON? { content.extensions }
    /// nil if the server could not execute the operation at all.
    public var data: (any GraphQL.ResponseRoot)? { content.data }

    let content: CheckedResponse
    /// The response's JSON.
    let bytes: [UInt8]

    /// The response as the content of an error.
    var failedResponse: FailedResponse {
      FailedResponse(status: status, headers: headers, bytes: bytes)
    }
  }
}

extension Graph.OperationResponse: CustomStringConvertible, CustomReflectable {
  /// The status and the kind of content: no values, no secrets.
  public var description: String {
    "status \(status), \(data == nil ? "no data" : "data"), \(errors.count) errors"
  }

  public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
