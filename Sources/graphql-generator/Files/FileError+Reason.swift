import Foundation

extension FileError {
  /// The system's reason for an error of Foundation, as a phrase. Foundation's own text begins with
  /// “The operation could not be completed.”
  static func reason(for error: any Error) -> String {
    let error = error as NSError
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return cause.localizedDescription }
    switch Int32(cause.code) {
    case EACCES, EPERM: return "permission denied"
    case ENOSPC, EDQUOT: return "no space is left"
    case EROFS: return "the volume is read-only"
    case ENOENT: return "there is no such file or folder"
    case EEXIST, ENOTDIR: return "there is a file where a folder is needed"
    default: return cause.localizedFailureReason ?? "error \(cause.code)"
    }
  }
}
