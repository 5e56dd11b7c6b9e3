extension GraphQL.Operation: CustomReflectable {
  /// Kind, name and document. The variables, which may be secrets, are not shown.
  public var customMirror: Mirror {
    Mirror(self, children: ["kind": kind, "name": name as Any, "document": document])
  }
}

extension GraphQL.OperationContent: CustomReflectable {
  /// The kind. Whoever looks into a response comes by here, and the selections hold the arguments.
  var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
