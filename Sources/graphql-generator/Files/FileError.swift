import GraphQLSchema

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

/// An error of a file, with a suggestion.
enum FileError: Error, Equatable {
  case missing(path: String)
  case missingFolder(path: String)
  case isFolder(path: String)
  case isNoFolder(path: String)
  /// A device, a pipe or a socket, which cannot be replaced.
  case isNoFile(path: String)
  case tooLarge(path: String)
  case unreadable(path: String, reason: String)
  case unwritable(path: String, reason: String)
  case undeletable(path: String, reason: String)
  /// A folder of usage sources has no Swift sources.
  case holdsNoSources(path: String)
  /// A schema folder has no SDL files.
  case holdsNoSchema(path: String)
  /// A generated file would replace a file that was not generated.
  case foreign(path: String)
  /// A new file would replace something.
  case exists(path: String)
  /// A configuration of editors would replace one of the user.
  case notWritten(path: String)
  /// A manifest would replace a file that is none.
  case isNoManifest(path: String)

  var diagnostic: Diagnostic {
    let (path, message, advice) = parts
    return Diagnostic(
      code: "file", message: "\(path): \(message)", suggestion: advice)
  }

  private var parts: (path: String, message: String, advice: String?) {
    switch self {
    case .missing(let path):
      (path, "There is no such file.", "Check the path; it is relative to the current folder.")
    case .missingFolder(let path):
      (path, "There is no such folder.", "Check the path; it is relative to the current folder.")
    case .isFolder(let path):
      (path, "This is a folder where a file is needed.", nil)
    case .isNoFolder(let path):
      (
        path, "This is a file where a folder is needed.",
        "Choose another --output, or move the file."
      )
    case .isNoFile(let path):
      (path, "This is not a regular file.", "Choose another --output.")
    case .tooLarge(let path):
      (path, "The file is too large; the maximum is \(FileAccess.maximumByteCount) bytes.", nil)
    case .unreadable(let path, let reason):
      (path, "The file cannot be read: \(reason).", nil)
    case .unwritable(let path, let reason):
      (path, "It cannot be written: \(reason).", "Nothing was changed.")
    case .undeletable(let path, let reason):
      (path, "The file is no longer needed and cannot be removed: \(reason).", nil)
    case .holdsNoSources(let path):
      (
        path, "This folder contains no Swift sources, so the used fields cannot be determined.",
        "List the folders of all targets that use the module, with --sources or under `pruning`, `usage`."
      )
    case .holdsNoSchema(let path):
      (path, "There are no .graphqls or .graphql files in this folder.", nil)
    case .foreign(let path):
      (
        path, "This file was not generated and would be overwritten.",
        "Move it, or choose another --output or --namespace."
      )
    case .exists(let path):
      (
        path, "This path already exists, and init does not replace files.",
        "Choose another --name or --output, or move it. To update a schema, use download-schema."
      )
    case .notWritten(let path):
      (
        path, "This file was not written by this tool and would be replaced.",
        "Choose another --output, or move it."
      )
    case .isNoManifest(let path):
      (
        path, "This file is not a manifest of operations and would be replaced.",
        "Choose another --manifest, or move it."
      )
    }
  }
}

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
