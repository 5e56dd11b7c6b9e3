extension GraphQL.AbstractResponse: CustomReflectable {
  /// No children: the object is shown by its JSON. The properties lead to plans and caches that other threads change
  /// while a mirror reads them.
  public final var customMirror: Mirror {
    Mirror(self, children: [], displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}
