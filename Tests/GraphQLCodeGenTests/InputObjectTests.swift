import Testing

@Suite struct InputObjectTests {
  @Test func fieldsThatMayBeLeftOutAreOptional() throws {
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

          /// Takes values for the fields to send.
          ///
          /// - Parameter count: How many. Default: `1`.
          /// - Parameter tags: Default: `["a", "b"]`.
          public init(
            note: String? = nil,
            lines: [LineInput],
            count: Int? = nil,
            tags: [String?]? = nil
          ) {
            _fields = .init()
            _fields.set("note", note)
            _fields.set("lines", lines)
            _fields.set("count", count)
            _fields.set("tags", tags)
          }

          public var note: String? {
            get { _fields.optional("note") }
            set { _fields.set("note", newValue) }
          }

          public var lines: [LineInput] {
            get { _fields.required("lines") }
            set { _fields.set("lines", newValue) }
          }

          /// How many.
          ///
          /// Default: `1`.
          public var count: Int? {
            get { _fields.optional("count") }
            set { _fields.set("count", newValue) }
          }

          /// Default: `["a", "b"]`.
          public var tags: [String?]? {
            get { _fields.optional("tags") }
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
        public var a: Int? {
          get { _fields.optional("a") }
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

          /// Takes values for the fields to send.
          public init(
            in in_: Int,
            init init_: Int? = nil,
            `var` var_: Int? = nil,
            _fields _fields_: Int? = nil
          ) {
            _fields = .init()
            _fields.set("in", in_)
            _fields.set("init", init_)
            _fields.set("var", var_)
            _fields.set("_fields", _fields_)
          }

          public var `in`: Int {
        """) == true)
    #expect(module.declaration("public var init_: Int?") != nil)
    #expect(module.declaration("public var `var`: Int?") != nil)
    #expect(module.declaration("public var _fields_: Int?") != nil)
  }
}
