#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import GraphJSON
import GraphQLRuntime

/// Follows the links of objects that were read in a transaction: in the transaction's state while
/// it is open, in the committed state afterwards and on other threads.
// Safe: only the thread that runs the transaction accesses it, which `owner` identifies.
final class TransactionLinks: @unchecked Sendable {
  private let owner = currentThread
  private let committed: CommittedRecords
  /// 1 after the end of the transaction.
  private let isClosed = AtomicNumber(0)
  private unowned let transaction: Graph.Transaction

  init(_ transaction: Graph.Transaction, committed: CommittedRecords) {
    self.transaction = transaction
    self.committed = committed
  }

  func close() { isClosed.store(1) }

  func record(_ key: GraphQL.EntityKey) -> JSONDocument? {
    // The owner's own thread cannot close the transaction between the check and the use.
    if owner == currentThread, isClosed.load() == 0 {
      return try? transaction.record(key)
    }
    return try? committed.record(key)
  }
}

/// Distinguishes the threads that exist.
// Safe: where the C library identifies threads by pointers, these are only compared.
private var currentThread: UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    unsafe UInt(bitPattern: pthread_self())
  #endif
}
