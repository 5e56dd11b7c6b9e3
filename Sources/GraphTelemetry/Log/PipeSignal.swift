import Foundation

extension FileHandle {
  /// Writes without the signal of a pipe without a reader, which would end the process.
  func writeWithoutSignal(_ bytes: [UInt8]) throws {
    #if canImport(Darwin)
      // The signal goes to any thread of the process, so it cannot be taken here.
      _ = fcntl(fileDescriptor, F_SETNOSIGPIPE, 1)
      try write(contentsOf: Data(bytes))
    #else
      try withoutPipeSignal { try write(contentsOf: Data(bytes)) }
    #endif
  }
}

#if !canImport(Darwin)
  /// Blocks the signal for this thread, and takes it before it is delivered.
  // Safe: each function fills local variables of the types that it expects.
  private func withoutPipeSignal(_ write: () throws -> Void) rethrows {
    var pipe = sigset_t()
    var previous = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    let wasPending = isPipeSignalPending
    guard unsafe pthread_sigmask(SIG_BLOCK, &pipe, &previous) == 0 else { return try write() }
    defer {
      if !wasPending, isPipeSignalPending {
        var taken: Int32 = 0
        unsafe sigwait(&pipe, &taken)
      }
      unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
    try write()
  }

  // Safe: both functions use a local variable.
  private var isPipeSignalPending: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, SIGPIPE) == 1
  }
#endif
