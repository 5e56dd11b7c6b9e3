import Foundation
import GraphQLRuntime

/// Reports each field once whose filter or sort order makes a fetch read every object of its type.
final class ScanNotices: Sendable {
  private let reported = Locked<Set<String>>([])
  private let report: @Sendable (String) -> Void

  init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  func note(_ paths: [String], ofType typeName: String) {
    for path in paths where reported.withLock({ $0.insert("\(typeName).\(path)").inserted }) {
      report(
        "\(typeName).\(path) is used in a fetch, but it has no index; add it to the `queryable` fields"
      )
    }
  }

  /// The default of a store: a debug build prints it, another does not.
  static var standard: (@Sendable (String) -> Void)? {
    #if DEBUG
      { FileHandle.standardError.write(Data("GraphStore: \($0)\n".utf8)) }
    #else
      nil
    #endif
  }
}
