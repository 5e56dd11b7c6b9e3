import AwkwardAPI
import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// The build-tool plugin generates the module from its schema whenever it is built. So the first
/// result of this test is that it compiles.
@Suite struct AwkwardNamesTests {
  @Test func documentsUseSchemaNames() throws {
    let query = Awkward.buildQuery(directives: [.trace(label: "all")]) {
      $0
        .things(in: ["1"], alias_: "x", default: 4) {
          $0
            .default().self_().init_().type().protocol().description(truncateAt: 3).hash().value()
            .legacyId()
        }
    }
    let operation = try query.operation()
    #expect(
      operation.document == """
        query($label1:String,$in2:[ID!]!,$alias3:String,$default4:Int,$truncateAt5:Int) \
        @trace(label:$label1){things(in:$in2,alias:$alias3,default:$default4){default self init Type \
        Protocol description(truncateAt:$truncateAt5) hash value legacy__id}}
        """)
    #expect(
      String(decoding: operation.variables, as: UTF8.self)
        == #"{"label1":"all","in2":["1"],"alias3":"x","default4":4,"truncateAt5":3}"#)
  }

  /// Servers refuse a variable as a label.
  @Test func labelsOfDeferAndStreamAreLiterals() throws {
    let rest = Awkward.ThingQuery.fragment("Rest") { $0.hash() }
    let operation = try Awkward.buildQuery {
      $0
        .directive(.stream(label: "list \"1\"", initialCount: 2))
        .things(in: ["1"]) { $0.value().directive(.defer(if: true, label: "rest")).spread(rest) }
    }.operation()
    #expect(
      operation.document == """
        query($in1:[ID!]!,$initialCount2:Int,$if3:Boolean!)\
        {things(in:$in1) @stream(label:"list \\"1\\"",initialCount:$initialCount2)\
        {value ...Rest @defer(if:$if3,label:"rest")}} fragment Rest on Thing{hash}
        """)
  }

  @Test func accessorsReadAwkwardlyNamedFields() throws {
    let thing = try Awkward.Thing(fields: [
      "default": 1, "self": "s", "init": "i", "Type": "t", "Protocol": "p", "description": "d",
      "hash": "h", "value": "v", "has": true, "field": "f", "read": "r", "rawText": "w",
      "document": "o", "schema": "c", "_string": "u", "legacy__id": "l", "legacy__id__x": "m",
      "kind": "SELF", "kinds": ["UNKNOWN_VALUE", "NEW", "fooBar", "FOO_BAR"],
      "matrix": [[1.5], []], "any": ["k": [1, NSNull()] as [Any]],
    ])
    #expect(thing.default == 1)
    #expect(
      thing.self_ == "s" && thing.init_ == "i" && thing.type == "t" && thing.protocol == "p")
    #expect(thing.description == "d" && thing.hash == "h" && thing.value == "v")
    #expect(thing.has == true && thing.field == "f" && thing.read == "r" && thing.rawText == "w")
    #expect(thing.document == "o" && thing.field("document") as? String == "o")
    #expect(thing.field("schema") as? String == "c" && thing.field("_string") as? String == "u")
    #expect(thing.legacyId == "l" && thing.value(\.legacyId, alias: "x") == "m")
    #expect(
      thing.kind == .self_
        && thing.kinds == [.unknownValue_, .unknownValue("NEW"), .fooBar, .capitalFooBar])
    #expect(thing.matrix == [[1.5], []])
    #expect(thing.any == ["k": [1, nil]])
  }

  @Test func readsTypesThatShadowStandardTypes() throws {
    let query = Awkward.buildQuery {
      $0
        .url { $0.string() }
        .error { $0.message() }
        .any { $0.onOptional { $0.some() }.onURL { $0.string() } }
    }
    let response = try query.operation().response(
      from: Array(
        #"""
        {"data": {"url": {"string": "u"}, "error": {"message": "m"},
          "any": {"__typename": "Optional", "some": true}}}
        """#.utf8))
    let data = try #require(response.data)
    #expect(data.url?.string == "u" && data.error?.message == "m")
    #expect((data.any as? Awkward.Optional)?.some == true)
  }

  @Test func interfaceReadsFieldNarrowedByObject() throws {
    let query = Awkward.buildQuery {
      $0.node(id: "1") { $0.onNamed { $0.name().owner { $0.id() } } }
    }
    let response = try query.operation().response(
      from: Array(
        #"""
        {"data": {"node": {"__typename": "Thing", "name": "n", "owner": {"__typename": "Thing", "id": "2"}}}}
        """#.utf8))
    let named = try #require(response.data?.node as? any Awkward.Named)
    #expect(named.name == "n")
    #expect(named.owner?.id == "2")
    #expect((named as? Awkward.Thing)?.owner?.id == "2")
  }

  @Test func inputFieldsAreOptional() throws {
    var change = Awkward.Change(id: "1", tags: ["a", nil]).null(\.in)
    change.kind = .default
    let inner = change
    change.self_ = inner
    let query = Awkward.buildMutation { $0.change(input: change) { $0.id() } }
    #expect(
      String(decoding: try query.operation().variables, as: UTF8.self)
        == #"{"input1":{"id":"1","tags":["a",null],"in":null,"kind":"DEFAULT","self":{"id":"1","tags":["a",null],"in":null,"kind":"DEFAULT"}}}"#
    )
  }

  @Test func oneOfInputsAreEnums() throws {
    let query = Awkward.buildQuery { $0.by(reference: .default("d")) { $0.id() } }
    #expect(query.description.contains(#"by(reference: {default: "d"})"#))
  }
}
