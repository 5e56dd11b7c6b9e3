#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A marker file that makes the next opening check the whole file next to it.
enum IntegrityCheckMarker {
  private static let suffix = "-suspect"

  /// Whether an earlier run has found damage.
  static func isSet(_ path: String) -> Bool { FileSafety.exists(path + suffix) }

  static func set(_ path: String) {
    if let descriptor = try? FileSafety.open(path + suffix) { close(descriptor) }
  }

  // Safe: the path is a string that the call borrows.
  static func remove(_ path: String) { unsafe unlink(path + suffix) }
}
