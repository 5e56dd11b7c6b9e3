import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server has answered.
struct HTTPAnswer: Equatable, Sendable {
  let status: Int
  let contentType: String
  /// The `Location` of a redirect.
  let location: String?
  let body: [UInt8]
}

/// One request and its answer. Redirects are answers: URLSession loses the body of a redirected
/// POST, and does not know which headers are credentials.
///
/// URLSession's `cancel()` may crash on Linux when it races the end of the transfer, so a transfer
/// that is given up is ignored, not cancelled.
final class HTTPExchange: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    var status = 0
    var contentType = ""
    var location: String?
    var body: [UInt8] = []
    var result: Result<HTTPAnswer, DownloadError>?
  }

  private let state = Mutex(State())
  private let finished = DispatchSemaphore(value: 0)
  private let limits: HTTPLimits

  private init(limits: HTTPLimits) { self.limits = limits }

  /// Sends a request and waits for the answer.
  ///
  /// - Parameter progress: called on this thread from time to time with the bytes that have arrived.
  static func send(
    _ request: URLRequest, limits: HTTPLimits, progress: (Int) -> Void
  ) throws(DownloadError) -> HTTPAnswer {
    let exchange = HTTPExchange(limits: limits)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    session.dataTask(with: request).resume()
    return try exchange.wait(progress)
  }

  private func wait(_ progress: (Int) -> Void) throws(DownloadError) -> HTTPAnswer {
    let deadline = DispatchTime.now() + limits.seconds
    while true {
      let next = min(deadline, DispatchTime.now() + 0.25)
      if finished.wait(timeout: next) == .success { break }
      progress(state.withLock { $0.body.count })
      if DispatchTime.now() >= deadline {
        finish(.failure(timeout))
        break
      }
    }
    let result = state.withLock { $0.result } ?? .failure(.notJSON)
    return try result.get()
  }

  private var timeout: DownloadError { .timeout(seconds: Int(limits.seconds.rounded(.up))) }

  /// The first result counts.
  private func finish(_ result: Result<HTTPAnswer, DownloadError>) {
    let isFirst = state.withLock { state in
      guard state.result == nil else { return false }
      state.result = result
      state.body = []
      return true
    }
    if isFirst { finished.signal() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    finish(
      .success(
        HTTPAnswer(
          status: response.statusCode, contentType: "",
          location: response.value(forHTTPHeaderField: "Location"), body: [])))
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isAbandoned = state.withLock { state in
      if let response = response as? HTTPURLResponse {
        state.status = response.statusCode
        state.contentType = response.value(forHTTPHeaderField: "Content-Type") ?? ""
        state.location = response.value(forHTTPHeaderField: "Location")
      }
      return state.result != nil
    }
    completionHandler(isAbandoned ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      guard state.result == nil else { return false }
      guard state.body.count + data.count <= limits.byteCount else { return true }
      state.body += data
      return false
    }
    if isTooLarge { finish(.failure(.tooLarge(limit: limits.byteCount))) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error {
      // The text of other errors may name the whole address, with its query.
      let code = (error as? URLError)?.code
      if code == .timedOut { return finish(.failure(timeout)) }
      return finish(.failure(.noConnection(reason: Self.reason(code))))
    }
    let answer = state.withLock { state in
      HTTPAnswer(
        status: state.status, contentType: state.contentType, location: state.location,
        body: state.body)
    }
    finish(.success(answer))
  }

  private static func reason(_ code: URLError.Code?) -> String {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: "the host is not known"
    case .cannotConnectToHost: "the host does not accept connections"
    case .networkConnectionLost: "the connection was lost"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate:
      "the server's certificate is not trusted"
    default: "the request failed"
    }
  }
}

/// What a server may take of this process.
struct HTTPLimits: Equatable, Sendable {
  /// Until an answer is complete.
  var seconds = 60.0
  var byteCount = 128 << 20
  var redirects = 5
}
