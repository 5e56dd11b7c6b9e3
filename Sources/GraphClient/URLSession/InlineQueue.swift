#if canImport(FoundationNetworking)
  import Foundation

  extension Graph {
    /// The delegate queue of a session: it calls the delegate where the session is, on the serial
    /// queue of its own on which everything else of it happens.
    ///
    /// Each event of a transfer would otherwise be an operation, in a queue that wakes a thread for it,
    /// which together take as long as the request. The delegate must not call the session back.
    // Safe: it restates what holds of the superclass, beside whose state there is none.
    final class InlineQueue: OperationQueue, @unchecked Sendable {
      override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
  }
#endif
