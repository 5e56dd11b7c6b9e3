import GraphJSON
import GraphQLSchema

extension DocumentExecutor {
  /// Starts a subscription (section 6.2.3, Subscribe): creates its source stream and executes the
  /// operation for each of its events.
  ///
  /// - Throws: ``SubscriptionFailure`` with the result to send, if there is no stream.
  public func subscribe(
    _ document: Document, operationName: String? = nil, variables: JSON.Object = [:],
    rootValue: JSON = [:]
  ) async throws(SubscriptionFailure) -> ResponseStream {
    let prepared: PreparedOperation
    do throws(RequestFailure) {
      prepared = try prepare(document, operationName, variables)
      if prepared.operation.operationType != .subscription {
        throw RequestFailure(ExecutionError("\(prepared.operation.title) is not a subscription."))
      }
    } catch {
      throw SubscriptionFailure(result: ExecutionResult(requestErrors: error.errors))
    }
    do {
      let events = try await sourceEvents(of: prepared, source: .json(rootValue))
      return ResponseStream(executor: self, operation: prepared, events: events)
    } catch {
      let error = ExecutionError(resolving: error)
      throw SubscriptionFailure(result: ExecutionResult(requestErrors: [error]))
    }
  }

  /// Section 6.2.3.1, CreateSourceEventStream.
  private func sourceEvents(
    of prepared: PreparedOperation, source: Resolved
  ) async throws -> any ResolvedEvents {
    let collector = prepared.collector
    let plan = try collector.collect([prepared.operation.selectionSet], on: prepared.rootType)
    guard let node = plan.fields.first else {
      throw ExecutionError("The subscription selects no field.")
    }
    let path = ResponsePath([.name(node.responseName)])
    let locations = collector.sources.locations(of: node.fields.map(\.range))
    do {
      switch node.kind {
      case .resolved(let plan):
        return try await resolver.subscribe(
          FieldContext(source: source, path: path, plan: plan))
      case .invalid(let error): throw error
      case .typename, .introspection:
        throw ExecutionError("\(node.coordinate) is not a source of events.")
      }
    } catch {
      var error = ExecutionError(resolving: error)
      if error.path == nil { error.path = path }
      if error.locations.isEmpty { error.locations = locations }
      throw error
    }
  }
}

/// A subscription that did not start, and the response for that case.
public struct SubscriptionFailure: Error, Sendable {
  /// The response to send, with a request error.
  public let result: ExecutionResult
}

/// The response stream of a subscription (section 6.2.3.2, MapSourceToResponseEvent): the result of
/// each event. It ends with the source stream and rethrows its errors.
public struct ResponseStream: AsyncSequence, Sendable {
  let executor: DocumentExecutor
  let operation: PreparedOperation
  let events: any ResolvedEvents

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: self, events: events.makeAsyncIterator())
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: ResponseStream
    /// An existential with its element would need macOS 15 or iOS 18.
    var events: any AsyncIteratorProtocol

    public mutating func next() async throws -> ExecutionResult? {
      guard let event = try await events.next() as? Resolved else { return nil }
      return await stream.executor.execute(stream.operation, source: event)
    }
  }
}
