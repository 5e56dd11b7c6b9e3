public import GraphClient
public import GraphJSON
public import GraphQLExecution
import GraphQLSchema

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
  /// An error in place of the value at a response path; other values stay if the schema allows it. If the response has
  /// no such value, the request fails.
  case error(at: ResponsePath, ExecutionError)
  /// Puts a value into the response, even if it violates the schema. If the response has no value at the path, the
  /// request fails.
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

/// The faults of one request, in the order of their effect.
struct FaultPlan {
  var delay: Duration = .zero
  var transportError: Graph.TransportError?
  var response: MockResponse?
  var requestErrors: ExecutionResult?
  var errors: [ResponsePath: ExecutionError] = [:]
  var violations: [(path: ResponsePath, value: JSON)] = []
  var pieces: (bytes: Int, pause: Duration)?
  var end: EarlyEnd?

  init(_ faults: [MockFault]) {
    for fault in faults {
      switch fault {
      case .delay(let duration): delay += duration
      case .transportError(let error): transportError = error
      case .response(let response): self.response = response
      case .requestErrors(let errors, let extensions):
        requestErrors = ExecutionResult(data: nil, errors: errors, extensions: extensions)
      case .error(let path, let error): errors[path] = error
      case .violation(let path, let value): violations.append((path, value))
      case .pieces(let bytes, let pause): pieces = (max(1, bytes), pause)
      case .cutOff(let bytes): end = EarlyEnd(bytes: max(0, bytes), isStalled: false)
      case .stall(let bytes): end = EarlyEnd(bytes: max(0, bytes), isStalled: true)
      }
    }
  }

  /// Puts the violations into a response.
  ///
  /// - Throws: if the response has nothing at a path, since a test without a violation proves
  ///   nothing.
  func violate(_ result: inout ExecutionResult) throws(Graph.TransportError) {
    for violation in violations {
      guard var data = result.data,
        data.replace(at: violation.path.elements[...], with: violation.value)
      else {
        throw Graph.TransportError(
          .invalidRequest,
          message: "the response has no value at `\(violation.path)` that could be replaced")
      }
      result.data = data
    }
  }
}

extension FaultPlan {
  /// Checks that each error is in one of the results of a request.
  ///
  /// - Throws: if there is one for whose path no result has a value, since a test without the error proves nothing.
  func checkErrors(in results: [ExecutionResult]) throws(Graph.TransportError) {
    for path in errors.keys where !results.contains(where: { $0.hasError(for: path) }) {
      throw Graph.TransportError(
        .invalidRequest,
        message: "the response has no value at `\(path)` that an error could replace")
    }
  }
}

extension ExecutionResult {
  /// Whether there is an error at the path, or another error has removed the value.
  fileprivate func hasError(for path: ResponsePath) -> Bool {
    if errors.contains(where: { $0.path == path }) { return true }
    var value = data ?? .null
    for (count, step) in path.elements.enumerated() {
      if value.isNull {
        let place = path.elements.prefix(count)
        return errors.contains { ($0.path?.elements ?? []).starts(with: place) }
      }
      guard let next = value[step] else { return false }
      value = next
    }
    return false
  }
}

extension JSON {
  fileprivate subscript(step: ResponsePath.Element) -> JSON? {
    switch (self, step) {
    case (.object(let object), .name(let name)): object[name]
    case (.array(let elements), .index(let index)) where elements.indices.contains(index):
      elements[index]
    default: nil
    }
  }
}

/// Where a body stops early, and whether the connection then stays open.
struct EarlyEnd: Sendable {
  var bytes: Int
  let isStalled: Bool
}

extension JSON {
  /// Replaces the value at a response path; false if there is none. Limited by the tree's depth.
  fileprivate mutating func replace(
    at path: ArraySlice<ResponsePath.Element>, with value: JSON
  ) -> Bool {
    guard let step = path.first else {
      self = value
      return true
    }
    switch (self, step) {
    case (.object(var object), .name(let name)):
      guard var child = object[name], child.replace(at: path.dropFirst(), with: value) else {
        return false
      }
      object[name] = child
      self = .object(object)
    case (.array(var elements), .index(let index)):
      guard elements.indices.contains(index),
        elements[index].replace(at: path.dropFirst(), with: value)
      else { return false }
      self = .array(elements)
    default: return false
    }
    return true
  }
}
