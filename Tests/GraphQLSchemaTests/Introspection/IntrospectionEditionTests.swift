import GraphQLPrinting
import GraphQLSchema
import Testing

/// Introspection results of all editions are read in the same way (section 4).
@Suite struct IntrospectionEditionTests {
  /// A result with one of each kind of type, as current services write it.
  private static let full = #"""
    {"data":{"__schema":{"description":"A shop.","queryType":{"name":"Q"},"mutationType":null,
    "types":[
     {"kind":"OBJECT","name":"Q","description":"Root.","fields":[
       {"name":"f","description":null,"args":[
         {"name":"a","description":"An argument.","type":{"kind":"LIST","name":null,"ofType":
           {"kind":"NON_NULL","name":null,"ofType":{"kind":"ENUM","name":"E","ofType":null}}},
          "defaultValue":"[B]","isDeprecated":true,"deprecationReason":"Why?"}],
        "type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"INTERFACE","name":"I"}},
        "isDeprecated":true,"deprecationReason":null}],
      "interfaces":[{"kind":"INTERFACE","name":"I"}],"inputFields":null,"enumValues":null,
      "possibleTypes":null},
     {"kind":"INTERFACE","name":"I","fields":[{"name":"f","args":[{"name":"a","type":
       {"kind":"LIST","ofType":{"kind":"NON_NULL","ofType":{"kind":"ENUM","name":"E"}}}}],
       "type":{"kind":"NON_NULL","ofType":{"kind":"INTERFACE","name":"I"}},"isDeprecated":true,
       "deprecationReason":"No longer supported"}],"interfaces":[],
      "possibleTypes":[{"kind":"OBJECT","name":"Q"}]},
     {"kind":"UNION","name":"U","possibleTypes":[{"kind":"OBJECT","name":"Q"}]},
     {"kind":"ENUM","name":"E","enumValues":[{"name":"B","isDeprecated":false},
       {"name":"C","isDeprecated":true,"deprecationReason":"Use B."}]},
     {"kind":"INPUT_OBJECT","name":"O","isOneOf":true,"inputFields":[
       {"name":"x","type":{"kind":"SCALAR","name":"Int"},"defaultValue":null}]},
     {"kind":"SCALAR","name":"D","specifiedByURL":"https://example.org/d"},
     {"kind":"SCALAR","name":"Int"},{"kind":"SCALAR","name":"String"},
     {"kind":"OBJECT","name":"__Type","fields":[]}],
    "directives":[{"name":"skip","locations":["FIELD"],"args":[]},
     {"name":"tag","isRepeatable":true,"locations":["FIELD","FUTURE_LOCATION","QUERY"],"args":[]}]
    }}}
    """#

  private static let fullSDL = #"""
    """A shop."""
    schema {
      query: Q
    }

    directive @tag repeatable on FIELD | QUERY

    """Root."""
    type Q implements I {
      f(
        """An argument."""
        a: [E!] = [B] @deprecated(reason: "Why?")
      ): I! @deprecated
    }

    interface I {
      f(a: [E!]): I! @deprecated
    }

    union U = Q

    enum E {
      B
      C @deprecated(reason: "Use B.")
    }

    input O @oneOf {
      x: Int
    }

    scalar D @specifiedBy(url: "https://example.org/d")

    """#

  private func read(_ json: String) throws -> ServiceSchema {
    try ServiceSchema(introspection: Source(name: "schema.json", text: json))
  }

  @Test func readsCurrentResult() throws {
    #expect(try read(Self.full).sdl == Self.fullSDL)
  }

  @Test func readsResultWithoutDataWrapper() throws {
    let bare = Self.full.dropFirst(#"{"data":"#.count).dropLast()
    #expect(try read(String(bare)).sdl == Self.fullSDL)
  }

  @Test func readsResultWithByteOrderMark() throws {
    #expect(try read("\u{FEFF}" + Self.full).sdl == Self.fullSDL)
  }

  @Test func readsOlderSpellingOfSpecifiedByURL() throws {
    let older = Self.full.replacing("specifiedByURL", with: "specifiedByUrl")
    #expect(try read(older).sdl == Self.fullSDL)
  }

  /// 2015 and 2016: flags instead of locations, and nothing of the later editions.
  @Test func readsResultOf2015() throws {
    let schema = try read(
      #"""
      {"data":{"__schema":{"queryType":{"name":"Q"},"types":[
        {"kind":"OBJECT","name":"Q","fields":[{"name":"f","args":[],"type":{"kind":"SCALAR",
         "name":"Int","ofType":null},"isDeprecated":false,"deprecationReason":null}],
         "interfaces":[]}],
       "directives":[{"name":"a","args":[],"onOperation":true,"onFragment":false,"onField":false},
        {"name":"b","args":[],"onOperation":false,"onFragment":true,"onField":true}]}}}
      """#)
    #expect(schema.directive(named: "a")?.locations == [.query, .mutation, .subscription])
    #expect(
      schema.directive(named: "b")?.locations == [
        .field, .fragmentDefinition, .fragmentSpread, .inlineFragment,
      ])
    #expect(schema.directive(named: "a")?.isRepeatable == false)
    #expect(schema.directive(named: "oneOf") != nil)
  }

  /// `isDeprecated` decides if it is present, otherwise the reason does.
  @Test(arguments: [
    (#""isDeprecated":false,"deprecationReason":"""#, nil),
    (#""isDeprecated":true,"deprecationReason":"""#, ""),
    (#""deprecationReason":"Old.""#, "Old."),
    (#""isDeprecated":true"#, "No longer supported"),
    (#""isDeprecated":null"#, nil),
  ])
  func readsDeprecationFromFlagOrReason(json: String, reason: String?) throws {
    let schema = try read(
      #"{"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q","fields":[{"#
        + #""name":"f","args":[],"type":{"kind":"SCALAR","name":"Int"},\#(json)}]}]}}"#)
    #expect(schema.queryType?.fields["f"]?.deprecationReason == reason)
  }
}
