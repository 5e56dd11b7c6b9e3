import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema

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
