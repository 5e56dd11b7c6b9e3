// Only for the compiler's message.
extension Optional where Wrapped: GraphQL.InputValue {
  @available(
    *, unavailable,
    message:
      "write .null(\"argument\") before the field, .null(\\.field) after an input object, or .null(\"variable\") after an operation"
  )
  public static var null: Self { fatalError("unavailable") }
}
