import Foundation
import GraphQLRuntime

extension Graph.StoreError: LocalizedError {
  /// A sentence in English that a user may see. For other languages, choose a text by ``code``.
  public var errorDescription: String? {
    switch code {
    case .newerFormat: "A newer version of the app has saved the data."
    case .corrupt, .foreignFile: "The saved data cannot be read."
    case .busy: "The saved data is in use. Try again later."
    case .database where sqliteCode.map({ $0 & 0xff }) == Self.full: "The disk is full."
    case .database, .file, .unsafePath, .replaced: "The data cannot be saved or read."
    case .deletionDenied: "The object is in use and cannot be deleted."
    default: "The request is not valid."
    }
  }

  /// ``description``, for developers.
  public var failureReason: String? { description }

  /// `SQLITE_FULL`.
  private static var full: Int32 { 13 }
}
