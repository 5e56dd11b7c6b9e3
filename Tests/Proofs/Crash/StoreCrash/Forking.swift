import Foundation
import GraphStore

/// Forks a process that has a store open.
///
/// SQLite's locks stay with the parent: the child must neither use nor close what it has inherited.
func fork(withStoreIn file: URL) async throws -> Int32 {
  typealias Fork = @convention(c) () -> Int32
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { return 2 }
  let fork = unsafeBitCast(symbol, to: Fork.self)
  var store: Graph.Store? = try Graph.Store(schema: Sample.schema, file: file)
  try await store?.write(json: Array(#"{"id":"1"}"#.utf8), as: Sample.Person.self)
  let child = fork()
  if child == 0 {
    // A child of a process with threads does not have these threads: waiting for one of them never
    // ends.
    alarm(20)
    var refusals = 0
    do { _ = try store?.counts() } catch { refusals += 1 }
    store = nil
    do { _ = try Graph.Store(schema: Sample.schema, file: file) } catch { refusals += 1 }
    _exit(refusals == 2 ? 0 : 1)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  guard status == 0 else {
    print("the child has used its parent's store, or met another error: \(status)")
    return 1
  }
  try await store?.write(json: Array(#"{"id":"2"}"#.utf8), as: Sample.Person.self)
  return try store?.counts() == ["Person": 2] ? 0 : 1
}
