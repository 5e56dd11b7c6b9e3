import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite struct CompressionTests {
  private let json = Array(
    (0..<2000).map { #"{"id":"\#($0)","title":"Hat \#($0 &* 7919 % 1000)"}"# }
      .joined(separator: ",").utf8)

  @Test func restoresJSON() throws {
    let compressed = try #require(Compression.compressed(json))
    #expect(compressed.count < json.count / 4)
    #expect(Compression.restored(compressed, maximum: json.count) == json)
  }

  @Test func leavesWhatDoesNotBecomeSmaller() {
    let noise = (0..<10_000).map { _ in UInt8.random(in: .min ... .max) }
    #expect(Compression.compressed(noise) == nil)
    #expect(Compression.compressed([]) == nil)
    #expect(Compression.compressed([0]) == nil)
  }

  @Test func damagedBytesAreDetected() throws {
    let compressed = try #require(Compression.compressed(json))
    for index in stride(from: 0, to: compressed.count, by: 3) {
      var bytes = compressed
      bytes[index] ^= UInt8(1 << (index % 8))
      // Some bits are without a meaning, such as the last ones.
      let restored = Compression.restored(bytes, maximum: json.count * 2)
      let isDetected = restored == nil || restored == json
      #expect(isDetected, "byte \(index)")
      let isComplete = Compression.restored(Array(compressed[..<index]), maximum: json.count) != nil
      #expect(!isComplete, "length \(index)")
    }
  }

  /// A stored value cannot make a process use more memory than its settings allow.
  @Test func longResultsAreRefused() throws {
    let compressed = try #require(Compression.compressed(json))
    #expect(Compression.restored(compressed, maximum: json.count - 1) == nil)
    let zlib = try #require(ZlibLibrary.installed)
    let content = try #require(zlib.compressed(json))
    for count in [0, 1, json.count - 1, json.count + 1] {
      var bytes: [UInt8] = []
      bytes.append(bigEndian: UInt64(count))
      #expect(Compression.restored(bytes + content, maximum: .max / 2) == nil, "\(count)")
    }
    for count in [UInt64(Int.max), .max] {
      var bytes: [UInt8] = []
      bytes.append(bigEndian: count)
      #expect(Compression.restored(bytes + content, maximum: json.count) == nil)
    }
  }

  @Test func missingLibrariesAreNotOpened() {
    #expect(ZlibLibrary(["libz.so.no"]) == nil)
    // A library without the functions.
    #expect(ZlibLibrary(["libm.so.6"]) == nil)
  }

  /// Python's zlib reads what is on the server.
  @Test(.needsServer) func storesZlibsFormat() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let storage = Graph.ValkeyStorage(valkey)
    let large = Graph.CachedResponse(bytes: json + json, storedAt: .now)
    try await storage.store(large, for: key("large"))
    try await storage.store(Graph.CachedResponse(bytes: json, storedAt: .now), for: key("small"))
    let value = try #require(
      try await valkey.run("GET", storage.keys.response(key("large"))).bytes)
    let stored = try #require(StoredResponse(value))
    let envelope = try #require(ValkeyEnvelope(stored.envelope, key: key("large")))
    #expect(envelope.form == .compressed)
    #expect(
      try python("zlib.decompress(sys.stdin.buffer.read()[8:])", envelope.content) == large.bytes)
    #expect(try await storage.response(for: key("large"))?.bytes == large.bytes)
    #expect(try await storage.response(for: key("small"))?.bytes == json)
    // Plain because it is small.
    let small = try #require(
      try await valkey.run("GET", storage.keys.response(key("small"))).bytes)
    #expect(small.count > json.count)
  }

  private func python(_ expression: String, _ input: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", "import sys, zlib; sys.stdout.buffer.write(\(expression))",
    ]
    let (standardInput, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (standardInput, output)
    try process.run()
    // The input is smaller than a pipe's buffer.
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
    try standardInput.fileHandleForWriting.close()
    let result = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Array(result)
  }
}
