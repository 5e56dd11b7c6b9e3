import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The response to an operation. It can have both data and errors.
  public struct Response<Root: GraphQL.ResponseRoot>: Sendable {
    /// The source of a response.
    public enum Source: Sendable, Hashable {
      case network
      /// From the cache or the store, with its age; nil if that is unknown.
      case cache(age: Duration?)
    }

    /// nil if the server could not execute the operation at all; `errors` then contains the
    /// reasons.
    public let data: Root?
    /// The server's errors for the parts that it could not compute.
    public let errors: [GraphQL.ResponseError]
    /// Additional information from the server, such as the cost of the operation.
    public let extensions: JSON?
    /// The source of the response.
    public let source: Source
    /// Why the response comes from the cache although the network was tried first.
    public let networkError: QueryError?
    /// Why the client's store has not kept the response, such as
    /// ``/GraphQLRuntime/GraphQL/StaleGeneration``.
    public let storeError: (any Error)?

    init(_ content: CheckedResponse, source: Source, networkError: QueryError? = nil) {
      data = content.data as? Root
      errors = content.errors
      extensions = content.extensions
      self.source = source
      self.networkError = networkError
      storeError = content.storeError
    }

    init(_ stored: GraphQL.StoredResponse<Root>, networkError: QueryError?) {
      data = stored.data
      errors = stored.errors
      extensions = nil
      source = .cache(age: stored.age)
      self.networkError = networkError
      storeError = nil
    }

    /// The data.
    ///
    /// - Throws: ``QueryError`` with the code `responseErrors` or `noData` if there is none.
    public func requireData() throws(QueryError) -> Root {
      guard let data else { throw error ?? .noData() }
      return data
    }

    /// Whether what the store returns has older values than the server's response: for parts that the server could not
    /// compute, or that have not arrived yet.
    func isNewer(than stored: Root) -> Bool {
      guard source == .network, let data else { return false }
      let context = data._context
      let isWhole = errors.isEmpty && !context.hasNext && context.failed.isEmpty
      return !isWhole && !stored._hasSameContent(as: data)
    }

    /// The error of a completion handler, in addition to the data.
    public var error: QueryError? {
      if !errors.isEmpty { return .responseErrors(errors) }
      return data == nil ? .noData() : networkError
    }
  }
}
