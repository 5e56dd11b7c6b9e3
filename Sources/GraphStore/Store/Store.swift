import Dispatch
import Foundation
import GraphQLRuntime
import GraphStorage

extension Graph {
  /// A typed, durable, observable cache of the objects in responses.
  ///
  /// ```swift
  /// let store = try Graph.Store(schema: Storefront.schema, file: url)
  /// try await store.write(response, of: operation)
  /// let product = try store.object(Storefront.Product.self, key: "gid://shop/Product/1")
  /// ```
  ///
  /// Reads are synchronous and never wait for a writer. One background writer does all writes. All
  /// returned values are immutable and Sendable.
  public final class Store: Sendable {
    /// The options of a store.
    public struct Configuration: Sendable {
      /// Policies by type name, which override those of the schema.
      public var policies: [String: TypePolicy]
      /// The names of the arguments that select a page of a connection, if they are not `first`,
      /// `after`, `last` and `before`.
      public var pagingArguments = PagingArguments()
      /// The approximate maximum size of the file in bytes; nil for no limit.
      ///
      /// When the file exceeds this size, objects are evicted in small steps between the writes:
      /// those that are older than their types allow, then the least recently used. Observed and
      /// pinned objects stay, with every object to which they lead.
      public var sizeBudget: Int?
      /// The maximum time that opening the store and each write wait for another process, or for
      /// another store of this process with the same file: 5 seconds by default. After that,
      /// ``StoreError`` `busy` is thrown.
      ///
      /// A write starts to wait when the earlier writes have ended.
      public var lockTimeout: Duration = .seconds(5)
      /// The names that the schema has changed, the oldest change first. Data stored under the old
      /// ones is carried over when a file is opened, in one transaction; ``Store/migrationReport``
      /// lists the data that was not.
      public var renames: [SchemaRename] = []
      /// Milliseconds since 1970; a test may have its own clock.
      package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
      /// Receives each field that a fetch uses without an index, once.
      var scanNotice = ScanNotices.standard
      /// Receives the statements of all connections.
      var recorder: SQLRecorder?

      /// A configuration with policies in addition to those of the schema table.
      public init(policies: [String: TypePolicy] = [:], sizeBudget: Int? = nil) {
        self.policies = policies
        self.sizeBudget = sizeBudget
      }
    }

    let committed: CommittedRecords
    let writer: Writer
    let hub: ObserverHub
    let publisher: ExpectedChangePublisher
    let logoutCounter = LogoutCounter()
    let logoutObservers = LogoutObservers()
    let pins = Pins()
    let commitObserver = Locked<CommitObserver?>(nil)
    private let openingReport: MigrationReport?

    /// Set if the file could not be read: it was moved aside and a new one was created. nil if the
    /// file was intact.
    public var recovery: StoreRecovery? { committed.file?.recovery }

    /// The outcome for data that was stored with another schema. The report lists the data that the
    /// renames of the configuration have carried over, the data that was not carried over, and
    /// objects of types that the schema does not have. nil if there is no such data in the file.
    public var migrationReport: MigrationReport? { openingReport }

    /// Opens a store in a file, which is created with the permissions 0600 if there is none; a
    /// directory that is created for it has 0700.
    ///
    /// - Throws: ``StoreError``: `newerFormat` and `foreignFile` for files that stay unchanged,
    ///   `unsafePath` for a symbolic link and for a file with several names, `busy` if another
    ///   process has kept the file for longer than ``Configuration/lockTimeout``, `file` also for a URL
    ///   that is not a file URL, `database`.
    public convenience init(
      schema: GraphQL.SchemaTable, file: URL, configuration: Configuration = Configuration()
    ) throws(Graph.StoreError) {
      guard file.isFileURL else {
        throw Graph.StoreError(
          .file, "'\(file)' is not the URL of a file; create one with URL(filePath:)")
      }
      let policies = Policies(
        schema: schema, overrides: configuration.policies,
        paging: configuration.pagingArguments.names,
        scanNotices: configuration.scanNotice.map(ScanNotices.init))
      let opened = try StoreFile.open(
        file, limit: configuration.lockTimeout, recorder: configuration.recorder,
        declaring: policies,
        renames: configuration.renames)
      self.init(policies, opened: opened, configuration)
      logoutCounter.update(to: opened.generation)
      logoutCounter.markFinished(opened.generation)
      startObservingCommits()
      if let budget = configuration.sizeBudget { startEvicting(budget) }
    }

    /// A store that keeps everything in memory: for tests, and for sessions that leave no data.
    public convenience init(
      inMemory schema: GraphQL.SchemaTable, configuration: Configuration = Configuration()
    ) {
      let policies = Policies(
        schema: schema, overrides: configuration.policies,
        paging: configuration.pagingArguments.names,
        scanNotices: nil)
      self.init(policies, opened: nil, configuration)
    }

    private init(_ policies: Policies, opened: PreparedFile?, _ configuration: Configuration) {
      let replay = ExpectedReplay(policies: policies)
      committed = CommittedRecords(
        policies: policies, file: opened?.file, isBudgeted: configuration.sizeBudget != nil,
        now: configuration.now, replay: replay.records)
      hub = ObserverHub()
      publisher = ExpectedChangePublisher(committed: committed, hub: hub)
      openingReport = opened?.migrationReport
      writer = Writer(
        committed: committed, renames: opened?.renames, now: configuration.now,
        publish: { [publisher] in publisher.publish($0) })
    }
  }
}

extension Graph.Store: CustomStringConvertible, CustomReflectable {
  /// Shows the location of the store's objects, but none of the objects.
  public var description: String { "Store(\(committed.file?.path ?? "in memory"))" }

  public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}

extension Graph.Store: Graph.ObjectReading {
  public var _reader: Graph.ObjectReader { committedState._reader }

  /// The committed state. It does not keep the store's writer alive.
  package var committedState: CommittedState { CommittedState(committed: committed) }

  /// Whether the type's objects have a key and are not roots.
  package func isEntity(_ typeName: String) -> Bool { committed.policies.isEntity(typeName) }

  /// Whether objects of some types must not be in the file.
  package var keepsSomeInMemory: Bool { !committed.policies.areAllStored }

  /// The number of objects of each type that has any.
  public func counts() throws(Graph.StoreError) -> [String: Int] {
    try committed.withSnapshot { snapshot throws(Graph.StoreError) in try snapshot.counts() }
  }

  /// The key of an object of a response, or of the store; nil for one whose type has no key, or
  /// whose key fields were not selected.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func key<Object: GraphQL.AbstractResponse>(
    of object: Object
  ) throws(Graph.StoreError) -> GraphQL.EntityKey? {
    let policies = committed.policies
    let planner = policies.makePlanner()
    let (json, index) = object._stored
    return planner.plan(ofType: try policies.typeName(of: type(of: object)))?
      .key(of: json, at: index)
  }
}

/// The committed state of a store, read-only.
package struct CommittedState: Graph.ObjectReading, Sendable {
  let committed: CommittedRecords

  package var _reader: Graph.ObjectReader {
    Graph.ObjectReader(policies: committed.policies, reading: committed)
  }
}

extension Graph.Store {
  /// Observes commits of other processes, and of other stores of this one, if the store has a file.
  ///
  /// The details of their changes are not known: every observer reads again, and is notified only
  /// if its own state has changed.
  func startObservingCommits() {
    guard let file = committed.file else { return }
    // Registered before the committed state is read, so that no commit is missed between the two.
    file.writeLock.processLock.registerObserver()
    file.onCommitOfOthers { [weak self] in self?.writer.checkForeignCommits() }
    commitObserver.withLock { commitObserver in
      commitObserver = CommitObserver(file.writeLock.processLock.path) { [weak self] in
        self?.writer.checkForeignCommits()
      }
    }
    writer.onForeignCommit { [weak self] in self?.takeOverForeignCommits() }
  }

  private func takeOverForeignCommits() {
    if let generation = try? committed.generation() { logoutCounter.update(to: generation) }
    hub.publishForeign()
    if logoutCounter.markFinished(logoutCounter.current) {
      takeOverLogout()
      // The other store has emptied the extension tables, and has reported the unsent work.
      logoutObservers.publish(nil)
    } else if !committed.memory.overlays.byKey.isEmpty {
      // Another process may have ended their operations.
      writer.perform { _ in
      } completion: { _ in
      }
    }
  }

  /// The user has logged out in another store; the data in memory here is deleted as well.
  private func takeOverLogout() {
    writer.perform { transaction in
      try transaction.takeOverLogout()
    } completion: { [weak self] result in
      guard case .failure(let error as Graph.StoreError) = result, error.code == .busy else {
        return
      }
      // No other code deletes the data in memory, so this is retried.
      self?.writer.queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
        self?.takeOverLogout()
      }
    }
  }
}

extension Graph {
  /// The names of the arguments that select a page of a connection:
  /// ``GraphQLRuntime/Graph/Store/Configuration/pagingArguments``. They are not part of a storage key.
  public struct PagingArguments: Sendable, Hashable {
    /// The number of nodes, from the beginning or after a cursor.
    public var first: String
    /// The cursor after which the page begins.
    public var after: String
    /// The number of nodes, from the end or before a cursor.
    public var last: String
    /// The cursor before which the page ends.
    public var before: String

    /// Uses the given names; the defaults are those of the connection specification.
    public init(
      first: String = "first", after: String = "after", last: String = "last",
      before: String = "before"
    ) {
      self.first = first
      self.after = after
      self.last = last
      self.before = before
    }

    var names: GraphQL.PagingNames {
      GraphQL.PagingNames(first: first, after: after, last: last, before: before)
    }
  }
}
