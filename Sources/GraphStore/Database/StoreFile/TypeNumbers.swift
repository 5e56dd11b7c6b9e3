import GraphQLRuntime

/// The numbers of types in one file. A number never changes once it is committed.
final class TypeNumbers: Sendable {
  private let numbers = Locked<[String: Int64]>([:])

  /// The number of a type, nil if the file has no object of it.
  func number(of name: String, on connection: DatabaseConnection) throws(Graph.StoreError) -> Int64?
  {
    if let known = numbers.withLock({ $0[name] }) { return known }
    let found = try all(on: connection)
    numbers.withLock { $0.merge(found) { $1 } }
    return found[name]
  }

  /// The names of all types with a number in the file.
  func names(on connection: DatabaseConnection) throws(Graph.StoreError) -> [String] {
    Array(try all(on: connection).keys)
  }

  func all(on connection: DatabaseConnection) throws(Graph.StoreError) -> [String: Int64] {
    var found: [String: Int64] = [:]
    let statement = try connection.prepared(.allTypes)
    defer { statement.reset() }
    while try statement.step() { found[statement.text(1)] = statement.integer(0) }
    // A damaged number would return the objects of one type as those of another.
    guard Set(found.values).count == found.count else {
      throw Graph.StoreError(.corrupt, "two types have the same number")
    }
    return found
  }

  /// The number of a type, which the open transaction assigns if it has none.
  func numberForWriting(_ name: String, on connection: DatabaseConnection) throws(Graph.StoreError)
    -> Int64
  {
    if let known = try number(of: name, on: connection) { return known }
    let statement = try connection.prepared(.insertType)
    statement.bind(name, at: 1)
    do { try statement.runAndReset() } catch { throw error.asDamage }
    let number = connection.lastInsertedRow
    numbers.withLock { $0[name] = number }
    return number
  }

  /// Drops all numbers: those of a transaction that was rolled back are not in the file.
  func forget() {
    numbers.withLock { $0 = [:] }
  }
}
