import Foundation

extension [UInt8] {
  /// Appends the bytes of a number, the most significant one first.
  package mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

/// SHA-1 (FIPS 180-4), which the handshake of web sockets requires. It does not protect anything
/// there, and must not be used to protect anything elsewhere.
package enum SHA1 {
  /// The digest of `bytes`.
  package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var message = Array(bytes)
    let bitCount = UInt64(message.count) * 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    message.append(bigEndian: bitCount)
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in stride(from: 0, to: message.count, by: 64) {
      compress(message[block..<block + 64], into: &state)
    }
    return state.reduce(into: []) { $0.append(bigEndian: $1) }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(
        rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (mix, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotate(a, 5) &+ mix &+ e &+ constant &+ word
      (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}

/// Files that only their user can read, and that are either complete or absent.
enum PrivateFile {
  /// Writes to a new file next to `url` and renames it. Directories below and including `root` are
  /// created with the permissions 0700.
  // Safe: the paths are strings that the calls borrow; the descriptor belongs to `file`.
  static func write(_ bytes: [UInt8], to url: URL, in root: URL) throws {
    let folder = url.deletingLastPathComponent()
    for directory in [root, folder] { try createFolder(directory) }
    let fresh = folder.appendingPathComponent(".\(UUID().uuidString)")
    let descriptor = unsafe open(fresh.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw systemError() }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: Data(bytes))
      try file.close()
      guard unsafe rename(fresh.path, url.path) == 0 else { throw systemError() }
    } catch {
      try? FileManager.default.removeItem(at: fresh)
      throw error
    }
  }

  /// Creates a folder with the permissions 0700 unless it exists.
  static func createFolder(_ folder: URL) throws {
    let manager = FileManager.default
    guard !manager.fileExists(atPath: folder.path) else { return }
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Sets the permissions explicitly, since the process's mask may have removed some.
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
  }

  private static func systemError() -> POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }
}
