extension Graph.HTTPResponse.Body {
  /// The whole body.
  ///
  /// - Throws: ``Graph/TransportError`` with the code `tooLarge` as soon as there are more than
  ///   `maximum` bytes; this also ends the transfer.
  func collect(upTo maximum: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in self {
      guard bytes.count + chunk.count <= maximum else {
        throw Graph.TransportError.responseTooLarge(maximum)
      }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
    return bytes
  }
}

extension Graph.TransportError {
  static func responseTooLarge(_ maximum: Int) -> Graph.TransportError {
    Graph.TransportError(
      .tooLarge, message: "the response has more than \(maximum) bytes", bytesSent: true)
  }
}
