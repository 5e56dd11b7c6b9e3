import GraphJSON

extension Graph.StoreChange {
  /// Creates the object of a draft, which has its key fields, or changes the fields of an existing one.
  public static func create<Object>(_ draft: GraphQL.Draft<Object>) -> Self {
    Self(draft) { .create(.key($0), $1) }
  }

  /// Changes the fields of a draft, which has the key fields of the object. If the store does not have the object,
  /// nothing is created.
  public static func update<Object>(_ draft: GraphQL.Draft<Object>) -> Self {
    Self(draft) { .update(.key($0), $1) }
  }

  private init<Object>(
    _ draft: GraphQL.Draft<Object>, _ step: (GraphQL.EntityKey, JSON) -> Step
  ) {
    do {
      let object = try Object(draft)
      self.init([step(try object._entityKey(), draft.json)])
    } catch {
      self.init([.invalid("\(error)")])
    }
  }
}
