import Foundation
import GraphQLRuntime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph {
  /// Passes the events of a session to their transfers. The session calls it on one serial queue,
  /// which on Linux is its own; see ``InlineQueue``.
  final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Tasks {
      var transfers: [Int: URLSessionTransfer] = [:]
      /// Creates the transfer of a task that an earlier process has started.
      var adopt: (@Sendable (URLSessionTask) -> URLSessionTransfer?)?
      /// The completed tasks of a session whose tasks are adopted. Such a task is not adopted again: it may
      /// be in a list that was made before it completed.
      var completed: Set<Int> = []
    }

    private let tasks = Locked(Tasks())
    /// The session whose delegate handles authentication challenges.
    private let forwarding: URLSession?
    /// The queue on which tasks are ended from outside. On Linux, the process crashes if two
    /// threads end one task at the same time, one by cancelling it and one by responding to its
    /// challenge. Neither may wait for the session on the session's own queue.
    private let control = DispatchQueue(label: "Graph.URLSessionTransport")

    init(forwarding: URLSession? = nil) { self.forwarding = forwarding }

    /// Calls `adopt` once for each task without a transfer that has an event or is in a list. It must not call
    /// the delegate.
    func onUnknownTask(_ adopt: @escaping @Sendable (URLSessionTask) -> URLSessionTransfer?) {
      tasks.withLock { $0.adopt = adopt }
    }

    /// The session whose delegate this is.
    func makeSession(_ configuration: URLSessionConfiguration) -> URLSession {
      #if canImport(FoundationNetworking)
        let queue: OperationQueue? = InlineQueue()
      #else
        let queue: OperationQueue? = nil
      #endif
      return URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    }

    var transferCount: Int { tasks.withLock { $0.transfers.count } }

    private let events = Locked<BackgroundEvents?>(nil)

    /// Tells `events` which tasks have completed, and when all events have been delivered.
    func report(to events: BackgroundEvents) { self.events.withLock { $0 = events } }

    #if canImport(Darwin)
      func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        events.withLock { $0 }?.end()
      }
    #endif

    func register(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
      tasks.withLock { $0.transfers[task.taskIdentifier] = transfer }
    }

    func cancel(_ task: URLSessionTask) {
      control.async { task.cancel() }
    }

    #if canImport(FoundationNetworking)
      /// The response with the challenge is complete when it is reported, and without a credential,
      /// the session would do nothing more.
      private func complete(_ task: URLSessionTask) {
        transfer(of: task)?.didComplete(nil)
        cancel(task)
      }
    #endif

    func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
      let id = task.taskIdentifier
      return tasks.withLock { tasks in
        if let transfer = tasks.transfers[id] { return transfer }
        guard !tasks.completed.contains(id), let transfer = tasks.adopt?(task) else { return nil }
        tasks.transfers[id] = transfer
        return transfer
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let transfer = transfer(of: dataTask), let response = response as? HTTPURLResponse
      else { return completionHandler(.cancel) }
      let isWanted = transfer.didReceiveHead(
        status: response.statusCode, headers: Headers(response))
      completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfer(of: dataTask)?.didReceive(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let transfer = transfer(of: task)
      tasks.withLock { tasks in
        tasks.transfers[task.taskIdentifier] = nil
        if tasks.adopt != nil { tasks.completed.insert(task.taskIdentifier) }
      }
      // An upload of a background session has no event for its head.
      if let response = task.response as? HTTPURLResponse {
        transfer?.addHead(status: response.statusCode, headers: Headers(response))
      }
      // Before the end of the transfer, after which the response is kept on another thread.
      events.withLock { $0 }?.complete(task.taskIdentifier)
      transfer?.didComplete(error.map(TransportError.init(urlSession:)))
    }

    #if canImport(FoundationNetworking)
      /// libcurl restarts a request when the reused connection turns out to be closed. It then
      /// needs the body from its start, which URLSession does not provide: the server would wait
      /// for the rest until the timeout. The caller knows what is sent, so it decides whether to
      /// retry.
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
      ) {
        transfer(of: task)?.abandon(.staleConnection)
        completionHandler(nil)
      }
    #endif

    /// The redirect is delivered as a response, and the transport decides.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let respond: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
        disposition, credential in
        #if canImport(FoundationNetworking)
          let isPending =
            disposition == .rejectProtectionSpace
            || disposition == .performDefaultHandling && challenge.proposedCredential == nil
          if isPending { return self.complete(task) }
        #endif
        self.control.async { completionHandler(disposition, credential) }
      }
      guard let forwarding, let delegate = forwarding.delegate else {
        return respond(.performDefaultHandling, nil)
      }
      forwarding.delegateQueue.addOperation {
        forward(challenge, of: task, to: delegate, of: forwarding, respond)
      }
    }
  }
}

private func forward(
  _ challenge: URLAuthenticationChallenge, of task: URLSessionTask,
  to delegate: any URLSessionDelegate, of session: URLSession,
  _ respond: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
) {
  #if canImport(FoundationNetworking)
    if let delegate = delegate as? any URLSessionTaskDelegate {
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: respond)
    } else {
      delegate.urlSession(session, didReceive: challenge, completionHandler: respond)
    }
  #else
    let response: Void? =
      (delegate as? any URLSessionTaskDelegate)?.urlSession?(
        session, task: task, didReceive: challenge, completionHandler: respond)
      ?? delegate.urlSession?(session, didReceive: challenge, completionHandler: respond)
    if response == nil { respond(.performDefaultHandling, nil) }
  #endif
}

extension Graph.Headers {
  fileprivate init(_ response: HTTPURLResponse) {
    self.init(
      response.allHeaderFields.compactMap { name, value in
        guard let name = name as? String, let value = value as? String else { return nil }
        return Field(name: name, value: value)
      })
  }
}

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
