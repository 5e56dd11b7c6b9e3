// Only for the compiler's message.
extension Optional where Wrapped: GraphQL.InputValue {
  @available(
    *, unavailable,
    message: "write .null(\"argument\") before the field; nil leaves the argument out"
  )
  public static var null: Self { fatalError("unavailable") }
}
