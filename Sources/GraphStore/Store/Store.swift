import Foundation
import GraphQLRuntime

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
