import GraphClient
import GraphJSON

/// A script that the server runs without interruption.
struct ValkeyScript: Sendable {
  let source: String
  /// The digest by which the server knows a script that it has run before.
  let digest: String

  init(_ source: String) {
    self.source = source
    digest = SHA1.digest(source.utf8).hexadecimal
  }
}

extension ValkeyShard {
  /// Runs a script. Its text is only sent if the server does not know it, as after a restart.
  func evaluate(
    _ script: ValkeyScript, keys: [String], _ arguments: [[UInt8]], timeout: Duration? = nil
  ) async throws(Graph.ValkeyError) -> ValkeyValue {
    let rest = [.init(text: String(keys.count))] + keys.map { [UInt8](text: $0) } + arguments
    var commands = ValkeyCommands()
    commands.append([.init(text: "EVALSHA"), .init(text: script.digest)] + rest)
    let value = try await send(commands, timeout: timeout)[0]
    guard let error = value.error, error.hasPrefix("NOSCRIPT") else { return try value.checked() }
    var full = ValkeyCommands()
    full.append([.init(text: "EVAL"), .init(text: script.source)] + rest)
    return try await send(full, timeout: timeout)[0].checked()
  }
}
