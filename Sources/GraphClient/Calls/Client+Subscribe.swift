import GraphQLRuntime

extension Graph.Client {
  /// The events of a subscription. Nothing is sent before iteration begins.
  ///
  /// ```swift
  /// let subscription = Storefront.buildSubscription { $0.orderUpdated(id: id) { $0.name() } }
  /// for try await event in client.subscribe(subscription) { print(event.errors) }
  /// ```
  ///
  /// - Parameter form: the protocol for the events.
  public func subscribe<Subscription: GraphQL.SubscriptionBuilder>(
    _ subscription: Subscription, over form: Graph.SubscriptionProtocol = .serverSentEvents
  ) -> Graph.Subscription<Subscription.Response> {
    Graph.Subscription(
      client: self,
      operation: Result { () throws(Graph.QueryError) in try operation(of: subscription) },
      form: form)
  }
}
