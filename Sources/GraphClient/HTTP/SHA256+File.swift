import Foundation
import GraphJSON

extension SHA256 {
  /// The digest of a file's bytes in lower-case hexadecimal digits. Reads it piece by piece.
  package static func hexDigest(ofFile file: URL) throws -> String {
    let handle = try FileHandle.reading(file)
    defer { try? handle.close() }
    var hash = SHA256()
    while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty { hash.update(piece) }
    return hash.finish().hexadecimal
  }
}
