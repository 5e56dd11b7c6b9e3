/// An error of the store.
///
/// No message contains a value of the stored data: an error is safe to log.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The class of the error. The set is open: later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, for logs.
    public let description: String

    init(_ description: String) { self.description = description }

    /// SQLite reports an error; ``StoreError/sqliteCode`` has its code.
    public static let database = Code("database")
    /// The file can no longer be read as a database.
    public static let corrupt = Code("corrupt")
    /// A newer version of the store wrote the file. The file stays unchanged.
    public static let newerFormat = Code("newerFormat")
    /// The file is a database of another application. The file stays unchanged.
    public static let foreignFile = Code("foreignFile")
    /// The file's path is a symbolic link, or not a regular file, or the file has several names.
    public static let unsafePath = Code("unsafePath")
    /// A file could not be created, opened, or locked.
    public static let file = Code("file")
    /// Another process, or another store of this one, has kept a lock for longer than
    /// ``Store/Configuration/lockTimeout``. Nothing was written; you may retry.
    public static let busy = Code("busy")
    /// The file was moved aside or replaced while it was open, or another program deleted its log.
    /// Nothing was written. A new store with the same path opens the file that is there now; after
    /// the log was deleted, only when all stores of the file are closed.
    public static let replaced = Code("replaced")
    /// JSON that does not have the schema's types.
    public static let invalidJSON = Code("invalidJSON")
    /// The type has no key fields, is abstract, or is not in the schema.
    public static let notAnEntity = Code("notAnEntity")
    /// An object is not deleted, as one of its fields leads to objects and has the rule
    /// ``TypePolicy/DeleteRule/deny``.
    public static let deletionDenied = Code("deletionDenied")
    /// A filter or sort order that the store cannot resolve to a field.
    public static let unsupportedKeyPath = Code("unsupportedKeyPath")
    /// A transaction was used after its closure had returned.
    public static let transactionEnded = Code("transactionEnded")
    /// The query has another schema than the store.
    public static let wrongSchema = Code("wrongSchema")
  }

  /// The class of the error.
  public let code: Code
  /// A description of the error, as a phrase.
  public let message: String
  /// SQLite's extended result code, if it reported the error.
  public let sqliteCode: Int32?

  init(_ code: Code, _ message: String, sqliteCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.sqliteCode = sqliteCode
  }

  public var description: String {
    sqliteCode.map { "\(code): \(message) (SQLite \($0))" } ?? "\(code): \(message)"
  }
}
