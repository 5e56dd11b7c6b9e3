#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension FileError {
  /// The system's reason for an error, as a phrase. Foundation's own texts name no reason.
  // Safe: `strerror` returns text that ends in a zero byte, and it is copied at once.
  static func reason(for error: any Error) -> String {
    guard let cause = ((error as? CocoaError)?.underlying ?? error) as? POSIXError else {
      return "\(error)"
    }
    switch cause.code {
    case .EACCES, .EPERM: return "permission denied"
    case .ENOSPC, .EDQUOT: return "no space is left"
    case .EROFS: return "the volume is read-only"
    case .ENOENT: return "there is no such file or folder"
    case .EEXIST, .ENOTDIR: return "there is a file where a folder is needed"
    default: return unsafe String(cString: strerror(cause.code.rawValue))
    }
  }
}
