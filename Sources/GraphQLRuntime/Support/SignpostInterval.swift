#if Signposts && canImport(os)
  import os

  /// A step whose duration Instruments shows, in the subsystem `Treeswift` and the category `GraphQL`.
  package struct SignpostInterval: Sendable {
    private static let signposter = OSSignposter(subsystem: "Treeswift", category: "GraphQL")

    private let step: SignpostStep
    private let state: OSSignpostIntervalState

    /// Begins a step.
    ///
    /// - Parameter operation: the operation name; nil if the operation has none.
    package static func begin(_ step: SignpostStep, operation: String? = nil) -> SignpostInterval {
      let id = signposter.makeSignpostID()
      let state = signposter.beginInterval(
        step.name, id: id, "\(operation ?? "", privacy: .public)")
      return SignpostInterval(step: step, state: state)
    }

    /// Must be called once.
    package func end() { Self.signposter.endInterval(step.name, state) }
  }

  extension SignpostStep {
    fileprivate var name: StaticString {
      switch self {
      case .parse: "Parse"
      case .check: "Check"
      case .request: "Request"
      case .storeWrite: "Store write"
      }
    }
  }
#else
  /// Nothing: the trait `Signposts` is not enabled, or the platform has no signposts.
  package struct SignpostInterval: Sendable {
    @inlinable package static func begin(
      _ step: SignpostStep, operation: String? = nil
    ) -> SignpostInterval { SignpostInterval() }

    @inlinable package init() {}

    @inlinable package func end() {}
  }
#endif

/// A step that can have a signpost.
package enum SignpostStep: Sendable {
  /// Parsing a response.
  case parse
  /// Comparing a response with the schema.
  case check
  /// One attempt to send an operation, until its response is read.
  case request
  /// A transaction of the store, from its first statement to its commit.
  case storeWrite
}
