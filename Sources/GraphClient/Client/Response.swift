import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The answer to an operation. Data and errors do not exclude each other.
  public struct Response<Root: GraphQL.AbstractResponse>: Sendable {
    /// Where an answer came from.
    public enum Source: Sendable, Hashable {
      case network
      /// From the cache or the model manager, and how old it is; nil when that is unknown.
      case cache(age: Duration?)
    }

    /// nil when the operation could not be answered at all; `errors` then says why.
    public let data: Root?
    /// What the server says of the parts that it could not answer.
    public let errors: [Reason]
    /// What the server says beside, such as the cost of the operation.
    public let extensions: JSON?
    /// Where the answer came from.
    public let source: Source
    /// Why the answer comes from the cache although the network was asked first.
    public let networkError: QueryError?
    /// Why the client's model manager has not kept the answer, such as ``GraphQL/StaleGeneration``.
    public let modelError: (any Error)?

    init(_ content: OperationContent, source: Source, networkError: QueryError? = nil) {
      data = content.data as? Root
      errors = content.reasons
      extensions = content.extensions
      self.source = source
      self.networkError = networkError
      modelError = content.modelError
    }

    init(_ answer: GraphQL.ModelAnswer<Root>, networkError: QueryError?) {
      data = answer.data
      errors = answer.errors.map(Reason.init)
      extensions = nil
      source = .cache(age: answer.age)
      self.networkError = networkError
      modelError = nil
    }

    /// The data.
    ///
    /// - Throws: ``QueryError/invalidQuery(reasons:)`` or ``QueryError/noData`` when there is none.
    public func requireData() throws(QueryError) -> Root {
      guard let data else { throw error ?? .noData }
      return data
    }

    /// What a completion handler gets beside the data.
    public var error: QueryError? {
      if !errors.isEmpty { return .invalidQuery(reasons: errors) }
      return data == nil ? .noData : networkError
    }
  }
}
