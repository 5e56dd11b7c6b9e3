import Testing

@Suite struct DirectiveTests {
  @Test func executableDirectivesAreStaticFunctions() throws {
    let module = try Generation(
      """
      "Sets the context."
      directive @inContext("Where." country: Country, language: String! = "EN") on QUERY | MUTATION
      directive @flag on FIELD
      directive @internal on OBJECT
      enum Country { CA }
      """)
    #expect(
      module.declaration("nonisolated extension GraphQL.Directive") == """
        nonisolated extension GraphQL.Directive where Schema == Shop {
          public static func flag() -> Self {
            Self("flag")
          }

          /// Sets the context.
          ///
          /// - Parameter country: Where.
          /// - Parameter language: Default: `"EN"`.
          public static func inContext(country: Shop.Country? = nil, language: String? = nil) -> Self {
            var directive = Self("inContext")
            directive._arg("country", country)
            directive._arg("language", language)
            return directive
          }
        }
        """)
  }

  @Test func selectionDirectivesAddBuilderMethod() throws {
    let module = try Generation("directive @flag on FIELD")
    #expect(
      module.declaration("public class _Query") == """
        /// A selection on some type of the schema.
        public class _Query: GraphQL.AbstractQuery {
          override public class var schema: GraphQL.SchemaTable { Shop.schema }

          /// Applies a directive to the next field.
          @discardableResult
          public func directive(_ directive: GraphQL.Directive<Shop>) -> Self {
            _directive(directive)
            return self
          }
        }
        """)
  }

  @Test func buildersWithoutSelectionDirectivesHaveNoDirectiveMethod() throws {
    let module = try Generation("directive @inContext on QUERY")
    #expect(
      module.declaration("public class _Query") == """
        /// A selection on some type of the schema.
        public class _Query: GraphQL.AbstractQuery {
          override public class var schema: GraphQL.SchemaTable { Shop.schema }
        }
        """)
  }

  @Test func renamesReservedDirectivesAndArguments() throws {
    let module = try Generation(
      "directive @self(self: Int!, directive: Int) on QUERY directive @_arg on QUERY")
    #expect(module.declaration("public static func _arg_() -> Self") != nil)
    #expect(
      module.declaration("public static func self_") == """
        public static func self_(self self_: Int, directive directive_: Int? = nil) -> Self {
          var directive = Self("self")
          directive._arg("self", self_)
          directive._arg("directive", directive_)
          return directive
        }
        """)
  }
}
