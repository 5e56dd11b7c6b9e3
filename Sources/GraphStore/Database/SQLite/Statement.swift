#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// A compiled statement of one connection.
///
/// Values are bound by position from 1, columns are read by position from 0. Call ``reset()`` after
/// the last row: without it, the statement keeps its read transaction.
// Safe: its connection, which the user keeps alive, finalizes it when it is no longer used.
@safe struct Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  init(
    _ sql: String, on connection: OpaquePointer, isKept: Bool
  ) throws(Graph.StoreError) {
    var compiled: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &compiled, nil)
    guard code == SQLITE_OK, let compiled = unsafe compiled else {
      throw unsafe Graph.StoreError(sqlite: code, connection)
    }
    unsafe handle = compiled
    unsafe self.connection = connection
  }

  // Safe: not for a statement that is used again; the connection ensures that it ends here.
  @unsafe func finalize() { unsafe sqlite3_finalize(handle) }

  /// Ends the run and releases the bound values.
  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// Advances to the next row; false after the last one.
  func step() throws(Graph.StoreError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = unsafe Graph.StoreError(sqlite: code, connection)
      unsafe sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement without rows, and resets it.
  func runAndReset() throws(Graph.StoreError) {
    defer { reset() }
    while try step() {}
  }
}

// Safe: positions are the statement’s parameters; SQLite copies, or `body` resets before text ends.
extension Statement {
  func bind(_ value: Int64, at position: Int32) {
    unsafe sqlite3_bind_int64(handle, position, value)
  }

  func bind(_ value: Double, at position: Int32) {
    unsafe sqlite3_bind_double(handle, position, value)
  }

  func bind(_ value: String, at position: Int32) {
    var value = value
    value.withUTF8 { unsafe bind(text: UnsafeRawBufferPointer($0), at: position) }
  }

  /// Binds a value that is greater than every number and every text.
  func bindGreatest(at position: Int32) {
    unsafe sqlite3_bind_zeroblob(handle, position, 0)
  }

  func bind(_ value: [UInt8], at position: Int32) {
    unsafe value.withUnsafeBytes { unsafe bind(text: $0, at: position) }
  }

  /// Binds UTF-8 text; SQLite takes a copy.
  func bind(text: UnsafeRawBufferPointer, at position: Int32) {
    // An empty buffer may have no address, which SQLite would treat as null.
    guard let start = text.baseAddress else {
      unsafe sqlite3_bind_text(handle, position, "", 0, nil)
      return
    }
    unsafe sqlite3_bind_text64(
      handle, position, start.assumingMemoryBound(to: CChar.self), UInt64(text.count),
      Statement.transient, UInt8(SQLITE_UTF8))
  }

  /// Binds UTF-8 text that SQLite does not copy.
  // Safe: not for text that ends before the statement is reset; the caller ensures that.
  @unsafe func bind(lent text: UnsafeBufferPointer<UInt8>, at position: Int32) {
    // An empty buffer may have no address, which SQLite would treat as null.
    guard let start = unsafe UnsafeRawPointer(text.baseAddress) else {
      unsafe sqlite3_bind_text(handle, position, "", 0, nil)
      return
    }
    unsafe sqlite3_bind_text64(
      handle, position, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil,
      UInt8(SQLITE_UTF8))
  }

  /// Calls `body` while UTF-8 text is bound that SQLite does not copy; `body` resets the statement.
  func withBound<T>(
    _ text: UnsafeBufferPointer<UInt8>, at position: Int32, _ body: () throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T {
    unsafe bind(lent: text, at: position)
    return try body()
  }

  /// Calls `body` while the UTF-8 text of a string is bound; `body` resets the statement.
  func withBound<T>(
    _ text: String, at position: Int32, _ body: () throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T {
    var text = text
    // Typed errors do not pass through `withUTF8`.
    let result = text.withUTF8 { text in
      Result { () throws(Graph.StoreError) in try unsafe withBound(text, at: position, body) }
    }
    return try result.get()
  }

  /// SQLITE_TRANSIENT: a macro of a cast, which is not imported.
  private static let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

// Safe: columns are the statement’s; SQLite keeps their bytes valid until the next step, and
// returns their count.
extension Statement {
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func text(_ column: Int32) -> String {
    unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a text; they are valid only during the call.
  func withBytes<T, E: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(E) -> T
  ) throws(E) -> T {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return try unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
