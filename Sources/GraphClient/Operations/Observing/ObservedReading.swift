import GraphQLRuntime

extension Graph.CallObservation? {
  /// Reads a response, and observes how long it takes.
  func reading<Content, Failure: Error>(
    _ byteCount: Int, _ read: () throws(Failure) -> Content
  ) throws(Failure) -> Content {
    guard let self else { return try read() }
    let start = self.uptime
    defer { self.emit(.responseRead(byteCount: byteCount), since: start) }
    return try read()
  }
}
