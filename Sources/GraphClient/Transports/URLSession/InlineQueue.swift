#if canImport(FoundationNetworking)
  import Foundation

  extension Graph {
    /// The delegate queue of a session. It calls the delegate directly on the session's own serial
    /// queue, on which all of its other events happen.
    ///
    /// Otherwise each event of a transfer would be an operation in a queue that wakes a thread for
    /// it. These operations together would double the time of a request. The delegate must not call
    /// the session.
    // Safe: the superclass is Sendable, and this class adds no state.
    final class InlineQueue: OperationQueue, @unchecked Sendable {
      override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
  }
#endif
