public import GraphClient
public import GraphJSON
public import GraphQLExecution

/// A change that a ``MockEndpoint`` makes to its response to a request, or a failure in its place.
public enum MockFault: Sendable {
  /// Waits on the endpoint's clock before the response starts.
  case delay(Duration)
  /// Fails like a network. Nothing is executed.
  case transportError(Graph.TransportError)
  /// Sends this response. Nothing is executed.
  case response(MockResponse)
  /// Refuses every operation with these errors and no data.
  case requestErrors([ExecutionError], extensions: JSON.Object = [:])
  /// An error in place of the value at a response path; other values stay if the schema allows it.
  case error(at: ResponsePath, ExecutionError)
  /// Puts a value into the response, even if it violates the schema.
  case violation(at: ResponsePath, JSON)
  /// Sends the body in pieces of that many bytes, and waits before each of them.
  case pieces(ofBytes: Int, every: Duration)
  /// Loses the connection after that many bytes of the body.
  case cutOff(afterBytes: Int)
  /// Sends no more after that many bytes of the body, and does not end it either.
  case stall(afterBytes: Int)
}

extension MockFault {
  /// A response with a status and no body.
  public static func status(_ status: Int) -> MockFault { .response(MockResponse(status: status)) }

  /// 429 with `Retry-After` in seconds.
  public static func tooManyRequests(retryAfter seconds: Int) -> MockFault {
    .response(MockResponse(status: 429, headers: ["Retry-After": String(seconds)]))
  }

  /// Shopify's refusal of a request that costs more points than are left: the error code
  /// `THROTTLED` with the state of the bucket in `extensions.cost`.
  public static func throttled(
    requestedCost: Int, available: Int, maximum: Int = 1_000, restoreRate: Int = 50
  ) -> MockFault {
    .requestErrors(
      [ExecutionError("Throttled", extensions: ["code": "THROTTLED"])],
      extensions: [
        "cost": [
          "requestedQueryCost": JSON(requestedCost), "actualQueryCost": nil,
          "throttleStatus": [
            "maximumAvailable": JSON(maximum), "currentlyAvailable": JSON(available),
            "restoreRate": JSON(restoreRate),
          ],
        ]
      ])
  }

  /// An error in place of the value at a response path.
  public static func error(
    at path: ResponsePath, _ message: String, code: String? = nil
  ) -> MockFault {
    .error(
      at: path, ExecutionError(message, extensions: code.map { ["code": .string($0)] } ?? [:]))
  }
}

/// A predefined response.
public struct MockResponse: Sendable {
  /// The HTTP status.
  public var status: Int
  /// The header fields, all of them.
  public var headers: Graph.Headers
  /// The body's bytes.
  public var body: [UInt8]

  /// A response, by default without fields and body.
  public init(status: Int, headers: Graph.Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
