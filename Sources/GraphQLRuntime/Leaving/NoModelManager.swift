extension GraphQL {
  /// The model manager that keeps nothing.
  public struct NoModelManager: ModelManager {
    public init() {}

    public func object<Object: AbstractResponse>(_: Object.Type, key: String) -> Object? { nil }

    public func objects<Object: AbstractResponse>(
      _: Object.Type, keys: [String]
    ) -> [Object?] {
      keys.map { _ in nil }
    }

    public var generation: ModelGeneration { ModelGeneration() }

    @discardableResult
    public func write<Root>(
      _: Response<Root>, of _: Operation<Root>, in _: ModelGeneration?
    ) -> Record {
      Record()
    }

    @discardableResult
    public func write(json: [UInt8], as _: AbstractResponse.Type) -> Record { Record() }

    public func answer<Root>(
      to _: Operation<Root>, maximumAge: Duration?
    ) -> ModelAnswer<Root>? {
      nil
    }

    public func purge(_: AbstractResponse.Type, key: String) {}

    public func purge<Object: AbstractResponse>(
      _: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
    ) {}

    public func refresh<Object: AbstractResponse>(_: Object) -> Object? { nil }
  }
}
