import GraphQLRuntime

extension Graph {
  /// The version of this library.
  static let libraryVersion = "0.1.0"
}
