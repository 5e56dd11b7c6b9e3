import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// A request without its body. Its content type is that of the form if it has one.
  init(_ request: Graph.HTTPRequest) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    allHTTPHeaderFields = request.headers.joined
    if case .multipart(let form) = request.body {
      setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }
  }
}

extension URLSessionConfiguration {
  /// Neither cookies nor responses are kept.
  func keepNothing() {
    urlCache = nil
    requestCachePolicy = .reloadIgnoringLocalCacheData
    httpCookieStorage = nil
    httpShouldSetCookies = false
    // Otherwise Linux searches every line of a head for cookies, with or without a cookie storage.
    httpCookieAcceptPolicy = .never
  }
}

extension Graph.Headers {
  /// The fields by name; fields of the same name become one, their values joined by commas (RFC
  /// 9110, section 5.3).
  fileprivate var joined: [String: String] {
    var joined: [String: String] = [:]
    joined.reserveCapacity(fields.count)
    for field in fields {
      if let name = joined.keys.first(where: { Self.isSame($0, field.name) }) {
        joined[name]?.append(", \(field.value)")
      } else {
        joined[field.name] = field.value
      }
    }
    return joined
  }
}
