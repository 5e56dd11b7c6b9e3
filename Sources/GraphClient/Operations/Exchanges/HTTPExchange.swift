import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Sends one operation in one HTTP request and reads the response.
  struct HTTPExchange: Sendable {
    let endpoint: URL
    let transport: any Transport
    /// The maximum number of bytes of a response, decoded.
    let maximumResponseBytes: Int
    let connectTimeout: Duration?
    let idleTimeout: Duration?

    /// - Throws: ``QueryError``, or errors of the transport.
    func response(to request: OperationRequest) async throws -> OperationResponse {
      try await response(to: request, http: httpRequest(request, body: body(of: request)))
    }

    /// Sends `http`, which is the HTTP form of `request`.
    func response(
      to request: OperationRequest, http: HTTPRequest
    ) async throws -> OperationResponse {
      let (head, bytes) = try await response(to: http, of: [request])
      return try ResponseReader(request: request)
        .read(status: head.status, headers: head.headers, bytes: bytes)
    }

    /// Sends `http`, which has the operations of `requests`, and collects the response.
    func response(
      to http: HTTPRequest, of requests: [OperationRequest]
    ) async throws -> (head: HTTPResponse, bytes: [UInt8]) {
      try http.check()
      var http = http
      http.wholeResponseLimit = maximumResponseBytes
      var observation = ExchangeObservation(requests, http)
      do {
        let head = try await transport.send(http)
        observation?.status = head.status
        let bytes = try await head.body.collect(upTo: maximumResponseBytes)
        observation?.end(receivedBytes: bytes.count)
        return (head, bytes)
      } catch {
        observation?.end(receivedBytes: 0)
        throw error
      }
    }

    /// A POST of `body` with the request's fields.
    func httpRequest(_ request: OperationRequest, body: HTTPRequest.Body) -> HTTPRequest {
      var headers = request.headers
      if headers["Accept"] == nil { headers["Accept"] = MediaType.accept }
      if case .bytes = body { headers["Content-Type"] = MediaType.json }
      if case .multipart = body { headers.requirePreflight(of: request.name) }
      if let context = request.traceContext { headers.add(context) }
      if let key = request.idempotencyKey { headers["Idempotency-Key"] = key }
      var http = HTTPRequest(
        method: .post, url: endpoint, headers: headers, body: body,
        timeout: request.transportTimeout)
      http.isIdempotent = request.canRepeat
      http.connectTimeout = connectTimeout
      http.idleTimeout = idleTimeout
      return http
    }

    /// A POST whose response may stream according to `accept`.
    func streamRequest(_ request: OperationRequest, accept: String) -> HTTPRequest {
      var http = httpRequest(request, body: body(of: request))
      http.headers["Accept"] = accept
      http.allowsStreaming = true
      return http
    }

    private func body(of request: OperationRequest) -> HTTPRequest.Body {
      request.uploads.isEmpty
        ? .bytes(request.body()) : .multipart(MultipartForm(request))
    }
  }
}
