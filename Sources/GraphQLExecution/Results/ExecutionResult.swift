import GraphJSON

/// The response to one request, or to one event of a subscription (section 7.1).
public struct ExecutionResult: Sendable, Equatable {
  /// The result of the operation, in the order of the selections; `.null` if an error propagated to
  /// the root; nil after a request error, when nothing was executed.
  public var data: JSON?
  /// In the order in which they were raised.
  public var errors: [ExecutionError]
  /// Additional information from a service; left out of the response if empty.
  public var extensions: JSON.Object

  /// Creates a result.
  public init(data: JSON?, errors: [ExecutionError] = [], extensions: JSON.Object = [:]) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
  }

  /// The result of a request that was not executed (section 7.1.2).
  public init(requestErrors errors: [ExecutionError]) {
    self.init(data: nil, errors: errors)
  }

  /// The response map. `errors` comes first, as the specification advises, and only if there are
  /// any; `data` is absent after a request error.
  public var json: JSON {
    var object = JSON.Object()
    if !errors.isEmpty { object["errors"] = .array(errors.map(\.json)) }
    if let data { object["data"] = data }
    if !extensions.isEmpty { object["extensions"] = .object(extensions) }
    return .object(object)
  }
}
