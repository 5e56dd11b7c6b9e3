import Foundation
import GraphClient
import GraphCompatibility
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// Checks on a working disk that everything is there that was acknowledged to ``DiskRun``.
struct DiskCheck {
  let folder: URL
  let journal: URL
  private var files: DiskFiles { DiskFiles(folder: folder) }

  func run() async throws {
    let lines = try String(contentsOf: journal, encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    func all(_ word: String) -> [[String]] { lines.filter { $0[0] == word } }
    require(lines.last == ["done"], "the program did not reach its end")

    let store = try openChecked(files.store)
    _ = try openChecked(files.user)
    for row in all("row").compactMap({ Int($0[1]) }) {
      let title = try store.object(Storefront.Product.self, key: "p\(row)")?.title
      require(title == DiskFiles.title(row), "row \(row) was acknowledged and is lost")
    }
    try await checkOutbox(store, queued: all("queued"), effects: all("effect"))
    try checkLogout(wasAcknowledged: !all("logout").isEmpty)
    try await checkCache(all("cached").compactMap { Int($0[1]) })
    let values = all("value").compactMap { Int($0[1]) }
    let value: Int? = try PropertyListFileStorage().data(for: files.value)
    require(value ?? -1 >= values.last ?? -1, "a value was acknowledged and is lost")
  }

  /// A suspected file is checked as a whole when it is opened, and moved aside unless it is intact.
  private func openChecked(_ file: URL) throws -> Graph.Store {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    require(!before.contains { $0.contains(".corrupt-") }, "a file was moved aside: \(before)")
    _ = FileManager.default.createFile(atPath: file.path + "-suspect", contents: nil)
    let store = try files.open(file)
    if let recovery = store.recovery { fail("the file is damaged: \(recovery.reason)") }
    return store
  }

  /// All queued operations are carried out in order. Only the last operation of a cart that was in
  /// progress when the first program ended may be carried out twice.
  private func checkOutbox(_ store: Graph.Store, queued: [[String]], effects: [[String]])
    async throws
  {
    let log = Locked(effects.map { ($0[1], $0[2]) })
    let shop = FakeShop { call in
      let (cart, note) = (call.argument("cartId"), call.argument("note"))
      log.withLock { $0.append((cart, note)) }
      return (200, [:], Notes.response(call, note: note))
    }
    let outbox = try await files.outbox(store, shop)
    await outbox.resume()
    await outbox.flush()
    let summary = try outbox.summary()
    require(summary.count == 0, "\(summary.count) operations stay in the queue")
    for operation in queued {
      let state = try outbox.state(ofOperation: operation[1])
      require(state == .received, "an acknowledged operation is \(state.map { "\($0)" } ?? "lost")")
    }
    for cart in Set(queued.map { $0[2] }) {
      var notes: [String] = []
      for (owner, note) in log.withLock({ $0 }) where owner == cart && notes.last != note {
        notes.append(note)
      }
      // A refused write may be there nevertheless: it is not known to be undone.
      let known = Set(queued.map { $0[3] })
      require(
        notes.filter(known.contains) == queued.filter { $0[2] == cart }.map { $0[3] },
        "\(cart) was written in another order: \(notes)")
    }
  }

  private func checkLogout(wasAcknowledged: Bool) throws {
    guard wasAcknowledged else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("user.store") {
      let bytes = try Data(contentsOf: folder.appending(path: name))
      require(
        bytes.range(of: Data(DiskFiles.secret.utf8)) == nil,
        "\(name) still contains the user after the logout")
    }
  }

  private func checkCache(_ keys: [Int]) async throws {
    let storage = Graph.DiskStorage(directory: files.cache, capacity: 100_000)
    for key in 0..<6 {
      let found = try await storage.response(for: DiskFiles.cacheKey(key))
      require(
        found == DiskFiles.response(key) || (found == nil && !keys.contains(key)),
        "the cached response \(key) is \(found == nil ? "lost" : "another one")")
    }
  }
}
