import Foundation
import GraphQLRuntime

extension Graph {
  /// An error of the store.
  ///
  /// No message contains a value of the stored data: an error is safe to log. Two errors are equal if
  /// their codes, messages and SQLite codes are.
  public struct StoreError: Error, Sendable {
    /// The class of the error. The set is open: compare values, and handle unknown ones.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The code's name, for logs.
      public let description: String

      /// A code of your own, for errors of your own.
      public init(_ name: String) { description = name }

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
      /// A file could not be created, opened, or locked. If the system refused that, the cause is a
      /// `POSIXError`.
      public static let file = Code("file")
      /// Another process, or another store of this one, has kept a lock for longer than
      /// ``Store/Configuration/lockTimeout``. Nothing was written; you may retry.
      public static let busy = Code("busy")
      /// The file was moved aside or replaced while it was open, or another program deleted its log.
      /// Nothing was written. A new store with the same path opens the file that is there now; after
      /// the log was deleted, only when all stores of the file are closed.
      public static let replaced = Code("replaced")
      /// JSON that does not have the schema's types. The cause is a `GraphQL.SchemaViolation`, or the
      /// parser's error.
      public static let invalidJSON = Code("invalidJSON")
      /// A `Graph.StoreChange` that cannot be applied: an object without a key, a list that the schema does not
      /// have, or an object that cannot be in the list.
      public static let invalidChange = Code("invalidChange")
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
    /// The error that led to this one, if there is one.
    public let cause: (any Error)?
    /// SQLite's extended result code, if it reported the error.
    public let sqliteCode: Int32?

    /// An error, such as one for a test of your own code.
    public init(
      _ code: Code, message: String, cause: (any Error)? = nil, sqliteCode: Int32? = nil
    ) {
      self.code = code
      self.message = message
      self.cause = cause
      self.sqliteCode = sqliteCode
    }

    init(_ code: Code, _ message: String, cause: (any Error)? = nil, sqliteCode: Int32? = nil) {
      self.init(code, message: message, cause: cause, sqliteCode: sqliteCode)
    }
  }
}

extension Graph.StoreError: Hashable {
  public static func == (a: Graph.StoreError, b: Graph.StoreError) -> Bool {
    a.code == b.code && a.message == b.message && a.sqliteCode == b.sqliteCode
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(sqliteCode)
  }
}

extension Graph.StoreError: CustomStringConvertible {
  /// Code and message.
  public var description: String {
    sqliteCode.map { "\(code): \(message) (SQLite \($0))" } ?? "\(code): \(message)"
  }
}

extension POSIXError {
  /// The error of a system call; nil for a number that the platform does not define.
  init?(number: Int32) {
    guard let code = POSIXErrorCode(rawValue: number) else { return nil }
    self.init(code)
  }
}

extension Graph.StoreError: LocalizedError {
  /// A sentence in English that a user may see. For other languages, choose a text by ``code``.
  public var errorDescription: String? {
    switch code {
    case .newerFormat: "A newer version of the app has saved the data."
    case .corrupt, .foreignFile: "The saved data cannot be read."
    case .busy: "The saved data is in use. Try again later."
    case .database where sqliteCode.map({ $0 & 0xff }) == Self.full: "The disk is full."
    case .database, .file, .unsafePath, .replaced: "The data cannot be saved or read."
    case .deletionDenied: "The object is in use and cannot be deleted."
    default: "The request is not valid."
    }
  }

  /// ``description``, for developers.
  public var failureReason: String? { description }

  /// `SQLITE_FULL`.
  private static var full: Int32 { 13 }
}

extension Graph {
  /// A file that could not be read: its new path, and the reason.
  public struct StoreRecovery: Sendable, Hashable {
    /// The path to which the unreadable file was moved. A logout deletes it.
    public let movedTo: String
    /// The problem with the file.
    public let reason: StoreError
  }
}
