import Foundation
import GraphQLRuntime

/// A typed, durable, observable cache of the objects that responses bring.
///
/// ```swift
/// let store = try Store(schema: Storefront.schema, file: url)
/// try await store.write(response, of: operation)
/// let product = try store.object(Storefront.Product.self, key: "gid://shop/Product/1")
/// ```
///
/// Reading is synchronous and never waits for a writer. Writing is done by one background writer.
/// Everything that comes out is immutable and Sendable.
public final class Store: Sendable {
  /// What a store is told when it is opened.
  public struct Configuration: Sendable {
    /// Policies by type name, over those of the schema.
    public var policies: [String: TypePolicy]
    /// The names of the arguments that choose a page of a connection, where they are not `first`,
    /// `after`, `last` and `before`.
    public var pagingArguments = GraphQL.PagingArguments()
    /// About the most bytes that the file may have; nil sets no bound.
    ///
    /// When it has grown over that, objects are evicted in small steps between the writes: those that are
    /// older than their types allow, then those that were not used for longest. What is observed or
    /// pinned stays, with every object that it leads to.
    public var sizeBudget: Int?
    /// The longest time that opening the store and each write wait for another process, or for another
    /// store of this process with the same file: 5 seconds by default. ``StoreError`` `busy` is thrown then.
    ///
    /// A write begins to wait when those before it have ended.
    public var lockTimeout: Duration = .seconds(5)
    /// The names that the schema has changed, the oldest change first. What is stored under the old ones is
    /// carried over when a file is opened, in one transaction; ``Store/migrationReport`` says what was not.
    public var renames: [SchemaRename] = []
    /// Milliseconds since 1970; a test may have its own clock.
    package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    /// Is told of a field that is fetched by without an index, once.
    var scanNotice = ScanNotices.standard
    /// Sees the statements of all connections.
    var recorder: SQLRecorder?

    /// A configuration with policies beside those of the schema table.
    public init(policies: [String: TypePolicy] = [:], sizeBudget: Int? = nil) {
      self.policies = policies
      self.sizeBudget = sizeBudget
    }
  }

  let committed: CommittedRecords
  let writer: Writer
  let hub = ObserverHub()
  let generations = Generations()
  let clearings = Clearings()
  let pins = Pins()
  let watcher = Locked<CommitWatcher?>(nil)

  /// What happened to a file that could not be read: it was moved aside and a new one was made. nil
  /// when the file was sound.
  public var recovery: StoreRecovery? { committed.file?.recovery }

  /// What became of data that was stored with another schema: what the renames of the configuration have
  /// carried over and what not, and objects of types that the schema does not have. nil when there is nothing
  /// of that kind in the file.
  public var migrationReport: MigrationReport? { committed.file?.migrationReport }

  /// Opens a store in a file, which is made with the permissions 0600 if there is none; a directory
  /// that is made for it has 0700.
  ///
  /// - Throws: ``StoreError``: `newerFormat` and `foreignFile` for files that are left as they are,
  ///   `unsafePath` for a symbolic link and for a file with several names, `busy` when another process has
  ///   kept the file for longer than ``Configuration/lockTimeout``, `file`, `database`.
  public convenience init(
    schema: GraphQL.SchemaTable, file: URL, configuration: Configuration = Configuration()
  ) throws(StoreError) {
    let policies = Policies(
      schema: schema, overrides: configuration.policies, paging: configuration.pagingArguments,
      scanNotices: configuration.scanNotice.map(ScanNotices.init))
    let opened = try StoreFile.open(
      file, limit: configuration.lockTimeout, recorder: configuration.recorder, declaring: policies,
      renames: configuration.renames)
    self.init(policies, opened: opened.file, configuration)
    generations.see(opened.generation)
    generations.finish(opened.generation)
    startWatching()
    if let budget = configuration.sizeBudget { startEvicting(budget) }
  }

  /// A store that keeps everything in memory: for tests, and for sessions that leave nothing.
  public convenience init(
    inMemory schema: GraphQL.SchemaTable, configuration: Configuration = Configuration()
  ) {
    let policies = Policies(
      schema: schema, overrides: configuration.policies, paging: configuration.pagingArguments,
      scanNotices: nil)
    self.init(policies, opened: nil, configuration)
  }

  private init(_ policies: Policies, opened: StoreFile?, _ configuration: Configuration) {
    committed = CommittedRecords(
      policies: policies, file: opened, isBudgeted: configuration.sizeBudget != nil,
      now: configuration.now)
    writer = Writer(
      committed: committed, now: configuration.now,
      publish: { [hub] in hub.publish($0) })
  }
}
