import Testing

/// Rules about implementing interfaces (sections 3.6, 3.7).
@Suite struct InterfaceRuleTests {
  @Test(arguments: [
    RuleCase(
      "an unknown interface",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Nod { id: ID! }
        """,
      findings: [
        #"3:19 KnownTypes: Unknown type "Nod". Did you mean "Node"?"#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: ID! }
        """)
  ])
  func knownTypes(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an object as interface",
      invalid: """
        type Query { a: Int }
        type B { id: ID! }
        type A implements B { id: ID! }
        """,
      findings: [
        #"3:19 InterfacesAreInterfaces: "A" cannot implement "B": it is an object type."#
      ],
      valid: """
        type Query { a: Int }
        interface B { id: ID! }
        type A implements B { id: ID! }
        """)
  ])
  func interfacesAreInterfaces(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an interface implemented twice",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node & Node { id: ID! }
        """,
      findings: [
        #"3:26 UniqueInterfaces: "A" has more than one interface "Node"."#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: ID! }
        """),
    RuleCase(
      "an interface implemented again in an extension",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: ID! }
        extend type A implements Node
        """,
      findings: [
        #"4:26 UniqueInterfaces: "A" has more than one interface "Node"."#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A { id: ID! }
        extend type A implements Node
        """),
  ])
  func uniqueInterfaces(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an interface that implements itself",
      invalid: """
        type Query { a: Int }
        interface A implements A { id: ID! }
        """,
      findings: [
        #"2:24 InterfacesWithoutCycles: "A" cannot implement itself."#
      ],
      valid: """
        type Query { a: Int }
        interface A { id: ID! }
        """),
    RuleCase(
      "two interfaces that implement each other",
      invalid: """
        type Query { a: Int }
        interface A implements B { id: ID! }
        interface B implements A { id: ID! }
        """,
      findings: [
        #"2:24 InterfacesWithoutCycles: "A" cannot implement "B", which implements it."#,
        #"3:24 InterfacesWithoutCycles: "B" cannot implement "A", which implements it."#,
      ],
      valid: """
        type Query { a: Int }
        interface A implements B { id: ID! }
        interface B { id: ID! }
        """),
  ])
  func interfacesWithoutCycles(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "an inherited interface that is not declared",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        interface B implements Node { id: ID! }
        type A implements B { id: ID! }
        """,
      findings: [
        #"4:19 TransitiveInterfaces: "A" must also implement "Node", because "B" does."#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: ID! }
        interface B implements Node { id: ID! }
        type A implements B & Node { id: ID! }
        """)
  ])
  func transitiveInterfaces(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a missing field",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { ids: ID! }
        """,
      findings: [
        #"3:6 ImplementedFields: "A" must have the field "id" of its interface "Node". Did you mean "ids"?"#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: ID! }
        """),
    RuleCase(
      "a field that an extension adds to the interface",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: ID! }
        extend interface Node { b: Int }
        """,
      findings: [
        #"3:6 ImplementedFields: "A" must have the field "b" of its interface "Node"."#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: ID! b: Int }
        extend interface Node { b: Int }
        """),
  ])
  func implementedFields(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a weaker type",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: ID }
        """,
      findings: [
        #"3:30 ImplementedFieldType: The type of "A.id" must be a subtype of "ID!", which is the type of "Node.id"; it is "ID"."#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: ID }
        type A implements Node { id: ID! }
        """),
    RuleCase(
      "a list instead of an item",
      invalid: """
        type Query { a: Int }
        interface Node { id: ID! }
        type A implements Node { id: [ID!]! }
        """,
      findings: [
        #"3:30 ImplementedFieldType: The type of "A.id" must be a subtype of "ID!", which is the type of "Node.id"; it is "[ID!]!"."#
      ],
      valid: """
        type Query { a: Int }
        interface Node { id: [ID] }
        type A implements Node { id: [ID!]! }
        """),
    RuleCase(
      "a type that is no member of the union",
      invalid: """
        type Query { a: Int }
        union U = B
        type B { a: Int }
        interface I { u: U }
        type A implements I { u: A }
        """,
      findings: [
        #"5:26 ImplementedFieldType: The type of "A.u" must be a subtype of "U", which is the type of "I.u"; it is "A"."#
      ],
      valid: """
        type Query { a: Int }
        union U = B | A
        type B { a: Int }
        interface I { u: U }
        type A implements I { u: A }
        """),
    RuleCase(
      "a type that does not implement the interface",
      invalid: """
        type Query { a: Int }
        interface I { u: I }
        type B { u: B }
        type A implements I { u: B }
        """,
      findings: [
        #"4:26 ImplementedFieldType: The type of "A.u" must be a subtype of "I", which is the type of "I.u"; it is "B"."#
      ],
      valid: """
        type Query { a: Int }
        interface I { u: I }
        type B implements I { u: B }
        type A implements I { u: B }
        """),
  ])
  func implementedFieldType(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a missing argument",
      invalid: """
        type Query { a: Int }
        interface I { a(b: Int): Int }
        type A implements I { a: Int }
        """,
      findings: [
        #"3:23 ImplementedArguments: "A.a" must have the argument "b" of "I.a"."#
      ],
      valid: """
        type Query { a: Int }
        interface I { a(b: Int): Int }
        type A implements I { a(b: Int): Int }
        """),
    RuleCase(
      "an argument of another type",
      invalid: """
        type Query { a: Int }
        interface I { a(b: Int): Int }
        type A implements I { a(b: Int!): Int }
        """,
      findings: [
        #"3:28 ImplementedArguments: The type of "A.a(b:)" must be "Int", as in "I.a"; it is "Int!"."#
      ],
      valid: """
        type Query { a: Int }
        interface I { a(b: Int!): Int }
        type A implements I { a(b: Int!): Int }
        """),
  ])
  func implementedArguments(_ rule: RuleCase) { rule.check() }

  @Test(arguments: [
    RuleCase(
      "a required additional argument",
      invalid: """
        type Query { a: Int }
        interface I { a: Int }
        type A implements I { a(b: Int!): Int }
        """,
      findings: [
        #"3:25 AdditionalArguments: "A.a(b:)" must not be required, because "I.a" does not have it. Make its type nullable, or give it a default value."#
      ],
      valid: """
        type Query { a: Int }
        interface I { a: Int }
        type A implements I { a(b: Int! = 1, c: Int): Int }
        """)
  ])
  func additionalArguments(_ rule: RuleCase) { rule.check() }
}
