import Testing

@Suite struct InputObjectTests {
  @Test func optionalFieldsHaveThreeStates() throws {
    let module = try Generation(
      """
      "A cart to be."
      input CartInput {
        note: String
        lines: [LineInput!]!
        "How many."
        count: Int! = 1
        tags: [String] = ["a", "b"]
      }
      input LineInput { id: ID! }
      """)
    #expect(
      module.declaration("public struct CartInput") == """
        /// A cart to be.
        public struct CartInput: GraphQL.InputObject {
          public var _fields: GraphQL.InputFields

          /// A field that is left out is not sent; `.null` is sent.
          ///
          /// - Parameter count: How many. Default: `1`.
          /// - Parameter tags: Default: `["a", "b"]`.
          public init(
            note: GraphQL.Input<String> = nil,
            lines: [LineInput],
            count: GraphQL.Input<Int32> = nil,
            tags: GraphQL.Input<[String?]> = nil
          ) {
            _fields = .init()
            _fields.set("note", note)
            _fields.set("lines", lines)
            _fields.set("count", count)
            _fields.set("tags", tags)
          }

          public var note: GraphQL.Input<String> {
            get { _fields.input("note") }
            set { _fields.set("note", newValue) }
          }

          public var lines: [LineInput] {
            get { _fields.required("lines") }
            set { _fields.set("lines", newValue) }
          }

          /// How many.
          ///
          /// Default: `1`.
          public var count: GraphQL.Input<Int32> {
            get { _fields.input("count") }
            set { _fields.set("count", newValue) }
          }

          /// Default: `["a", "b"]`.
          public var tags: GraphQL.Input<[String?]> {
            get { _fields.input("tags") }
            set { _fields.set("tags", newValue) }
          }
        }
        """)
  }

  @Test func settingDeprecatedFieldsCausesNoWarning() throws {
    let module = try Generation("input I { a: Int @deprecated(reason: \"Gone.\") b: Int }")
    #expect(
      module.declaration("public var a:") == """
        @available(*, deprecated, message: "Gone.")
        public var a: GraphQL.Input<Int32> {
          get { _fields.input("a") }
          set { _fields.set("a", newValue) }
        }
        """)
  }

  @Test func acceptsKeywordsAsFieldNames() throws {
    let module = try Generation("input I { in: Int! init: Int var: Int _fields: Int }")
    #expect(
      module.declaration("public struct I:")?.hasPrefix(
        """
        public struct I: GraphQL.InputObject {
          public var _fields: GraphQL.InputFields

          /// A field that is left out is not sent; `.null` is sent.
          public init(
            in in_: Int32,
            init init_: GraphQL.Input<Int32> = nil,
            `var` var_: GraphQL.Input<Int32> = nil,
            _fields _fields_: GraphQL.Input<Int32> = nil
          ) {
            _fields = .init()
            _fields.set("in", in_)
            _fields.set("init", init_)
            _fields.set("var", var_)
            _fields.set("_fields", _fields_)
          }

          public var `in`: Int32 {
        """) == true)
    #expect(module.declaration("public var init_: GraphQL.Input<Int32>") != nil)
    #expect(module.declaration("public var `var`: GraphQL.Input<Int32>") != nil)
    #expect(module.declaration("public var _fields_: GraphQL.Input<Int32>") != nil)
  }
}
