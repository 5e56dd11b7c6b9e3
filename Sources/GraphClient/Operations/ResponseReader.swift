import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Turns an HTTP response into a GraphQL response (GraphQL over HTTP, Processing a response).
  ///
  /// A body of type `application/graphql-response+json` is a response for every status, including
  /// 294 for partial success. Any other body is a response only with a status of 2xx. Then its
  /// media type may be missing, or wrong if the body is a JSON object, since some servers send such
  /// responses. With other statuses, an intermediary may have written the body, which is only a
  /// diagnosis.
  struct ResponseReader {
    let request: OperationRequest

    func read(
      status: Int, headers: Headers, bytes: [UInt8]
    ) throws(QueryError) -> OperationResponse {
      // RFC 8259, section 8.1: a reader may ignore a byte order mark.
      let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
      let isSuccess = (200..<300).contains(status)
      var failed: FailedResponse { FailedResponse(status: status, headers: headers, bytes: bytes) }
      let contentType = headers["Content-Type"]
      switch MediaType(contentType)?.essence {
      case MediaType.graphQLResponse: break
      case MediaType.json where isSuccess: break
      case _ where !isSuccess:
        throw .status(failed, errors: GraphQL.ResponseError.list(in: bytes))
      case nil where contentType == nil: break
      case _ where bytes.beginsObject: break
      default: throw unexpectedType(failed)
      }
      if bytes.isEmpty {
        throw isSuccess ? .noData(failed) : .status(failed)
      }
      do {
        let content = try request.observation.reading(bytes.count) {
          () throws(GraphQL.ResponseFailure) in try request.reader.read(bytes)
        }
        return OperationResponse(status: status, headers: headers, content: content, bytes: bytes)
      } catch {
        throw QueryError(error, failed)
      }
    }

    private func unexpectedType(_ response: FailedResponse) -> QueryError {
      let type = MediaType(response.headers["Content-Type"])?.essence ?? "no media type"
      return QueryError(
        .unexpectedContentType,
        message: type == MediaType.multipartMixed
          ? "the response arrives in several parts, which responses(to:) reads"
          : "the response is \(type), not a GraphQL response",
        response: response)
    }
  }
}

extension [UInt8] {
  /// Whether the first byte after whitespace opens a JSON object.
  fileprivate var beginsObject: Bool {
    first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }
}

extension GraphQL.ResponseError {
  /// The errors of a body that is not trusted as a response; empty if it has none.
  static func list(in bytes: [UInt8]) -> [GraphQL.ResponseError] {
    guard let root = try? JSONDocument(parsing: bytes).root else { return [] }
    return (root["errors"]?.array ?? []).compactMap { error in
      guard let message = error["message"]?.string ?? error.string else { return nil }
      return GraphQL.ResponseError(message: message, extensions: error["extensions"]?.json)
    }
  }
}
