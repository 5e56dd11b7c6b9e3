extension GraphQL {
  /// The type as which the `data` of a response is read: a generated response class, or the generated struct of a typed
  /// operation. A cast `as?` needs a concrete type, ``AbstractResponse`` or `any GraphQL.SelectedDocument`.
  // A marker, for the size of generated code; see `SelectedObject`.
  @_marker public protocol ResponseRoot: Sendable {}
}

extension GraphQL.AbstractResponse: GraphQL.ResponseRoot {}

extension GraphQL.ResponseHandle {
  /// The object in the document with the text; the handle itself if it is not a record.
  var text: GraphQL.ResponseHandle { document.text ?? self }
}
