import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// How a ``MockEndpoint`` delivers the results that `@defer` and `@stream` delay. Servers use both
/// forms, over `multipart/mixed`.
public enum IncrementalForm: Sendable, CaseIterable {
  /// Parts are announced in `pending`, referred to in `incremental`, and ended in `completed`.
  case announced
  /// Each entry of `incremental` has the path of its addition (2022).
  case paths
}

extension IncrementalForm {
  static let contentType = "multipart/mixed; boundary=\"-\""

  /// The bodies of the response's parts.
  func payloads(of result: PartedResult) -> [JSON] {
    var first = object(result.initial)
    first["pending"] = pending(result.announced, of: result)
    first["hasNext"] = true
    let rest = result.parts.indices.map { index -> JSON in
      let part = result.parts[index]
      var payload: JSON.Object = ["incremental": [entry(part, index)]]
      payload["pending"] = pending(part.inner, of: result)
      if self == .announced { payload["completed"] = [["id": .string("\(index)")]] }
      payload["hasNext"] = .bool(index + 1 < result.parts.count)
      return .object(payload)
    }
    return [.object(first)] + rest
  }

  /// A payload as a part of the response.
  static func piece(_ payload: JSON) -> [UInt8] {
    Array("\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\(payload)".utf8)
  }

  static let end = Array("\r\n-----\r\n".utf8)

  private func object(_ result: ExecutionResult) -> JSON.Object {
    if case .object(let object) = result.json { object } else { [:] }
  }

  private func pending(_ parts: Range<Int>, of result: PartedResult) -> JSON? {
    guard self == .announced, !parts.isEmpty else { return nil }
    return .array(
      parts.map { index in
        let part = result.parts[index]
        var entry: JSON.Object = [
          "id": .string("\(index)"), "path": .array(part.path.map(\.json)),
        ]
        entry["label"] = part.label.map(JSON.string)
        return .object(entry)
      })
  }

  private func entry(_ part: DeferredPart, _ index: Int) -> JSON {
    var entry: JSON.Object = [:]
    var path = part.path.map(\.json)
    if case .items(_, let start) = part.content { path.append(JSON(start)) }
    switch self {
    case .announced: entry["id"] = .string("\(index)")
    case .paths:
      entry["path"] = .array(path)
      entry["label"] = part.label.map(JSON.string)
    }
    switch part.content {
    case .fields(let fields): entry["data"] = .object(fields)
    case .items(let items, _): entry["items"] = .array(items)
    }
    if !part.errors.isEmpty { entry["errors"] = .array(part.errors.map(\.json)) }
    return .object(entry)
  }
}

extension ResponsePath.Element {
  fileprivate var json: JSON {
    switch self {
    case .name(let name): .string(name)
    case .index(let index): JSON(index)
    }
  }
}

extension MockEndpoint {
  /// The response in parts, if the operation selects that and the client accepts it.
  func incrementalResponse(
    _ result: ExecutionResult, to request: RequestedOperation, _ document: Document,
    _ format: EventFormat?, _ wait: MockWait
  ) -> EndpointResponse? {
    guard format == .multipart, features.contains(.incrementalDelivery),
      let operation = try? DocumentExecutor.operation(in: document, named: request.operationName),
      let parted = PartedResult(
        result, of: operation, in: document, schema: schema, variables: request.variables)
    else { return nil }
    let pieces = service.options.incrementalForm.payloads(of: parted).map(IncrementalForm.piece)
    let interval = service.options.eventInterval
    let body = PieceStream {
      var rest = (pieces + [IncrementalForm.end])[...]
      var wait = wait
      return {
        guard let piece = rest.popFirst() else { return nil }
        if rest.count < pieces.count { try await wait.pause(interval) }
        return piece
      }
    }
    return EndpointResponse(
      status: 200, contentType: IncrementalForm.contentType, body: Graph.HTTPResponse.Body(body))
  }
}
