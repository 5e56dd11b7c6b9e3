extension GraphQL.Operation: CustomReflectable {
  /// Kind, name and document. The variables, which may be secrets, are not shown.
  public var customMirror: Mirror {
    Mirror(self, children: ["kind": kind, "name": name as Any, "document": document])
  }
}

extension GraphQL.FrozenSelection: CustomReflectable {
  /// The kind. Mirrors of a response also reach this mirror, and the selections contain the
  /// arguments.
  package var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
