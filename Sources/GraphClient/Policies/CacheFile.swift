import GraphJSON

/// The form of a stored response: a marker, the SHA-256 of the rest, a line of JSON with the time
/// and the key, and the response.
enum CacheFile {
  private static let mark = Array("GRC1".utf8)

  static func encode(_ response: Graph.CachedResponse, key: Graph.CacheKey) -> [UInt8] {
    var writer = JSONWriter()
    writer.value([
      "key": .string(key.name), "boot": .string(response.storedAt.boot),
      "wall": JSON(response.storedAt.wall.milliseconds),
      "uptime": JSON(response.storedAt.uptime.milliseconds),
    ])
    let content = writer.finish() + [UInt8(ascii: "\n")] + response.bytes
    return mark + SHA256.digest(content) + content
  }

  /// - Returns: nil if the file was changed, or was not written under `key`.
  static func decode(_ bytes: [UInt8], key: Graph.CacheKey) -> Graph.CachedResponse? {
    let start = mark.count + 32
    guard bytes.count > start, bytes.starts(with: mark) else { return nil }
    let content = bytes[start...]
    guard SHA256.digest(content).elementsEqual(bytes[mark.count..<start]),
      let lineEnd = content.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(content[..<lineEnd])).root,
      head["key"]?.string == key.name, let boot = head["boot"]?.string,
      let wall = head["wall"]?.int, let uptime = head["uptime"]?.int
    else { return nil }
    return Graph.CachedResponse(
      bytes: Array(content[(lineEnd + 1)...]),
      storedAt: Graph.Timestamp(
        wall: .milliseconds(wall), uptime: .milliseconds(uptime), boot: boot))
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
