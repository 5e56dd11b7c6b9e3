import GraphQLRuntime

#if canImport(Darwin)
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// A transport whose uploads continue while the app is suspended, and after the system has ended it.
    ///
    /// A request with files and with a value of the field ``keyHeader`` is an upload: the system sends it, by a
    /// background session of Foundation. All other requests use ``foreground``.
    ///
    /// The field's value is the key of the upload. A later request with the key, in this or in a later
    /// process, gets the response of that upload instead of sending it again, once. So an outbox with an
    /// `idempotencyHeader` continues where it was: give its client this transport. After a launch, the system
    /// may list neither an upload that has ended nor one that it has lost. A request with its key waits for
    /// the response for up to 10 seconds, and is then sent.
    ///
    /// When a caller's time has passed, or its task is cancelled, the upload continues; see
    /// ``removeAll()``.
    ///
    /// Limits, which are those of background sessions:
    /// - The system chooses the time of an upload that begins while the app is in the background, and
    ///   repeats it after a lost connection. So the server must recognize the key.
    /// - Redirects are followed without asking the app, so ``RedirectPolicy`` does not apply.
    /// - A token is sent as it was when the upload began. After its expiry the response is a refusal as
    ///   usual, and the outbox sends the operation with a new token.
    /// - Authentication challenges have the default handling.
    /// - A response that no caller reads is kept on disk, for a week. The system also ends an upload that has
    ///   not ended after 7 days.
    /// - If the user ends the app in the app switcher, the system ends the uploads. An outbox begins them again
    ///   at the next launch.
    /// - On watchOS, the events come as a `WKURLSessionRefreshBackgroundTask`. Call its
    ///   `setTaskCompletedWithSnapshot(_:)` in the closure of ``handleEvents(completion:)``.
    public final class BackgroundTransport: Transport {
      /// The header field with the key of an upload.
      public let keyHeader: String
      /// Sends all other requests.
      public let foreground: any Transport
      private let uploads: KeyedUploads

      /// Continues the uploads of earlier processes, so create it when the app is launched.
      ///
      /// - Parameters:
      ///   - identifier: names the session. Transports of a process with the same name have the session, the
      ///     folder and the app group of the first one, but two processes must not use a name at the same time.
      ///   - folder: contains a folder for bodies and responses, which backups leave out. By default, it is in
      ///     the container of the app group, if there is one, and otherwise in Application Support. On tvOS it is in
      ///     Caches, which the system may empty while the app does not run.
      ///   - sharedContainerIdentifier: the app group of an app extension, which must name one. The system may launch
      ///     the app for the events of the extension's session, so both must use the same folder.
      /// - Throws: an error of the file system, or `CocoaError.fileNoSuchFile` if the app is not in the app group.
      public init(
        identifier: String, keyHeader: String = "Idempotency-Key",
        foreground: any Transport = Graph.standardTransport(), folder: URL? = nil,
        sharedContainerIdentifier: String? = nil
      ) throws {
        self.keyHeader = keyHeader
        self.foreground = foreground
        uploads = try KeyedUploads.shared(identifier) {
          let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
          configuration.keepNothing()
          configuration.sharedContainerIdentifier = sharedContainerIdentifier
          let files = UploadFolder(
            of: identifier, in: try folder ?? Self.standardFolder(of: sharedContainerIdentifier))
          return KeyedUploads(configuration: configuration, folder: files.url)
        }
      }

      public var additionalHeaders: Headers { foreground.additionalHeaders }

      public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard case .multipart(let form) = request.body, !request.allowsStreaming,
          let key = request.headers[keyHeader], !key.isEmpty
        else { return try await foreground.send(request) }
        return try await uploads.response(to: request, with: form, key: key)
      }

      /// Calls `completion` when all events of the session have been delivered and their responses are on
      /// disk, which may be at once. Pass the completion handler of
      /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
      @MainActor public func handleEvents(completion: @escaping () -> Void) {
        uploads.events.handle(completion)
      }

      /// Ends all uploads, and removes their files and the responses that no caller has read. Call it
      /// when the user logs out.
      public func removeAll() async throws { try await uploads.removeAll() }

      private static func standardFolder(of group: String?) throws -> URL {
        let files = FileManager.default
        let parent: URL
        #if os(tvOS)
          // An app cannot write elsewhere.
          let searchPath = FileManager.SearchPathDirectory.cachesDirectory
          let folderInGroup = "Library/Caches"
        #else
          let searchPath = FileManager.SearchPathDirectory.applicationSupportDirectory
          let folderInGroup = "Library/Application Support"
        #endif
        if let group {
          guard let container = files.containerURL(forSecurityApplicationGroupIdentifier: group)
          else { throw CocoaError(.fileNoSuchFile) }
          parent = container.appendingPathComponent(folderInGroup)
        } else {
          parent = try files.url(
            for: searchPath, in: .userDomainMask, appropriateFor: nil, create: true)
        }
        return parent.appendingPathComponent("Treeswift/Uploads")
      }
    }
  }
#endif

extension Graph {
  /// Decides when the system may suspend the app again: when the session has delivered its events, and
  /// the responses that ended with them are on disk or delivered.
  final class BackgroundEvents: Sendable {
    private struct State {
      /// The tasks whose response is neither kept nor delivered.
      var open: Set<Int> = []
      /// Those of them that the session has completed.
      var completed: Set<Int> = []
      /// When the session had delivered its events, unless a handler was called for it.
      var end: ContinuousClock.Instant?
    }

    private let state = Locked(State())
    /// Resolved when the session has delivered its events for the first time: those of earlier processes.
    let firstEnd = Promise<Void>()
    /// The system's handlers, which belong to the main actor.
    @MainActor private var handlers: [() -> Void] = []
    /// How long a handler may come after the events. Those of an earlier launch do not count for it.
    private let patience: Duration

    init(patience: Duration = .seconds(30)) { self.patience = patience }

    func open(_ task: Int) { state.withLock { _ = $0.open.insert(task) } }

    func complete(_ task: Int) {
      state.withLock { state in
        if state.open.contains(task) { state.completed.insert(task) }
      }
    }

    /// The response of the task is kept or delivered.
    func close(_ task: Int) {
      state.withLock { state in
        state.open.remove(task)
        state.completed.remove(task)
      }
      callHandlersLater()
    }

    /// The session has delivered its events.
    func end() {
      state.withLock { $0.end = .now }
      firstEnd.resolve(.success(()))
      callHandlersLater()
    }

    /// Calls `handler` when the events have ended, which may have been before this call.
    @MainActor func handle(_ handler: @escaping () -> Void) {
      handlers.append(handler)
      state.withLock { state in
        if let end = state.end, .now - end > patience { state.end = nil }
      }
      callHandlers()
    }

    private func callHandlersLater() {
      guard state.withLock({ $0.end != nil && $0.completed.isEmpty }) else { return }
      Task { @MainActor in callHandlers() }
    }

    @MainActor private func callHandlers() {
      guard !handlers.isEmpty else { return }
      let areDue = state.withLock { state in
        guard state.end != nil, state.completed.isEmpty else { return false }
        state.end = nil
        return true
      }
      guard areDue else { return }
      let due = handlers
      handlers = []
      for handler in due { handler() }
    }
  }
}
