public import GraphClient
public import GraphJSON
public import GraphQLSchema

/// Something that a ``MockEndpoint`` does to a request instead of, or beside, answering it well.
public enum MockFault: Sendable {
  /// Waits on the endpoint's clock before the answer begins.
  case delay(Duration)
  /// Fails as a network does. Nothing is executed.
  case transportError(Graph.TransportError)
  /// Answers this. Nothing is executed.
  case answer(MockAnswer)
  /// Refuses every operation with these errors and no data.
  case requestErrors([ResponseError], extensions: JSONObject = [:])
  /// An error in place of the value at a response path; what the schema allows stays.
  case error(at: ResponsePath, ResponseError)
  /// Puts a value into the response, whatever the schema says.
  case violation(at: ResponsePath, JSON)
  /// Sends the body in pieces of so many bytes, and waits before each of them.
  case pieces(ofBytes: Int, every: Duration)
  /// Loses the connection after so many bytes of the body.
  case cutOff(afterBytes: Int)
  /// Sends no more after so many bytes of the body, and does not end it either.
  case stall(afterBytes: Int)
}

extension MockFault {
  /// An answer with a status and no body.
  public static func status(_ status: Int) -> MockFault { .answer(MockAnswer(status: status)) }

  /// 429 with `Retry-After` in seconds.
  public static func tooManyRequests(retryAfter seconds: Int) -> MockFault {
    .answer(MockAnswer(status: 429, headers: ["Retry-After": String(seconds)]))
  }

  /// Shopify's refusal of a request that costs more points than are left: the error code
  /// `THROTTLED` with the state of the bucket in `extensions.cost`.
  public static func throttled(
    requestedCost: Int, available: Int, maximum: Int = 1_000, restoreRate: Int = 50
  ) -> MockFault {
    .requestErrors(
      [ResponseError("Throttled", extensions: ["code": "THROTTLED"])],
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
      at: path, ResponseError(message, extensions: code.map { ["code": .string($0)] } ?? [:]))
  }
}

/// A ready answer.
public struct MockAnswer: Sendable {
  /// The HTTP status.
  public var status: Int
  /// The header fields, all of them.
  public var headers: Graph.Headers
  /// The body's bytes.
  public var body: [UInt8]

  /// An answer, by default without fields and body.
  public init(status: Int, headers: Graph.Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
