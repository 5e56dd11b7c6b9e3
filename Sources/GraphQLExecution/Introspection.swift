import GraphJSON
import GraphQLSchema

/// The fields of introspection (section 4.2).
enum Introspection {
  static func resolve(_ context: FieldContext) -> Resolved {
    let arguments = context.arguments
    guard case .object(let value, _) = context.source, let element = value as? Element else {
      return ofQueryRoot(context)
    }
    let schema = context.schema
    let includesDeprecated =
      if case .bool(true)? = arguments["includeDeprecated"] { true } else { false }
    return switch element {
    case .schema: ofSchema(schema, context.name)
    case .type(let type): ofType(type, context.name, schema, includesDeprecated)
    case .field(let field): ofField(field, context.name, includesDeprecated)
    case .inputValue(let value): ofInputValue(value, context.name)
    case .enumValue(let value): ofEnumValue(value, context.name)
    case .directive(let directive): ofDirective(directive, context.name, includesDeprecated)
    }
  }

  /// The element that an object of introspection describes.
  enum Element: Sendable {
    case schema
    case type(TypeReference)
    case field(FieldDefinition)
    case inputValue(InputValueDefinition)
    case enumValue(EnumValueDefinition)
    case directive(DirectiveDefinition)

    var resolved: Resolved { .object(self, type: nil) }
  }

  private static func ofQueryRoot(_ context: FieldContext) -> Resolved {
    if context.name == "__schema" { return Element.schema.resolved }
    guard case .string(let name)? = context.arguments["name"],
      context.schema.type(named: name) != nil
    else { return .null }
    return Element.type(.named(name)).resolved
  }

  /// Section 4.2.1.
  private static func ofSchema(_ schema: ServiceSchema, _ name: String) -> Resolved {
    switch name {
    case "description": .text(schema.description)
    case "types": .types(schema.introspectedTypes.map(\.name))
    case "queryType": .type(schema.queryType?.name)
    case "mutationType": .type(schema.mutationType?.name)
    case "subscriptionType": .type(schema.subscriptionType?.name)
    case "directives": .list(schema.introspectedDirectives.map { Element.directive($0).resolved })
    default: .null
    }
  }

  /// Section 4.2.2.
  private static func ofType(
    _ reference: TypeReference, _ name: String, _ schema: ServiceSchema, _ includesDeprecated: Bool
  ) -> Resolved {
    switch reference {
    case .list(let item): ofWrapper("LIST", item, name)
    case .nonNull(let inner): ofWrapper("NON_NULL", inner, name)
    case .named(let typeName):
      if let type = schema.type(named: typeName) {
        ofNamedType(type, name, schema, includesDeprecated)
      } else {
        .null
      }
    }
  }

  private static func ofWrapper(_ kind: String, _ type: TypeReference, _ name: String) -> Resolved {
    switch name {
    case "kind": .text(kind)
    case "ofType": Element.type(type).resolved
    default: .null
    }
  }

  private static func ofNamedType(
    _ type: NamedType, _ name: String, _ schema: ServiceSchema, _ includesDeprecated: Bool
  ) -> Resolved {
    switch (name, type) {
    case ("kind", _): .text(type.kind.rawValue)
    case ("name", _): .text(type.name)
    case ("description", _): .text(type.description)
    case ("specifiedByURL", .scalar(let scalar)): .text(scalar.specifiedByURL)
    case ("fields", .object), ("fields", .interface):
      .listed(type.fields ?? [], includesDeprecated, \.deprecationReason) { .field($0) }
    case ("interfaces", .object), ("interfaces", .interface):
      .types((type.interfaces ?? []).map(\.name))
    case ("possibleTypes", .interface), ("possibleTypes", .union):
      .types(schema.possibleTypes(of: type).map(\.name))
    case ("enumValues", .enum(let type)):
      .listed(type.values, includesDeprecated, \.deprecationReason) { .enumValue($0) }
    case ("inputFields", .inputObject(let type)):
      .listed(type.fields, includesDeprecated, \.deprecationReason) { .inputValue($0) }
    case ("isOneOf", .inputObject(let type)): .json(.bool(type.isOneOf))
    default: .null
    }
  }

  /// Section 4.2.3.
  private static func ofField(
    _ field: FieldDefinition, _ name: String, _ includesDeprecated: Bool
  ) -> Resolved {
    switch name {
    case "name": .text(field.name)
    case "description": .text(field.description)
    case "args":
      .listed(field.arguments, includesDeprecated, \.deprecationReason) { .inputValue($0) }
    case "type": Element.type(field.type).resolved
    default: .deprecation(field.deprecationReason, name)
    }
  }

  /// Section 4.2.4.
  private static func ofInputValue(_ value: InputValueDefinition, _ name: String) -> Resolved {
    switch name {
    case "name": .text(value.name)
    case "description": .text(value.description)
    case "type": Element.type(value.type).resolved
    case "defaultValue": .text(value.defaultValue?.description)
    default: .deprecation(value.deprecationReason, name)
    }
  }

  /// Section 4.2.5.
  private static func ofEnumValue(_ value: EnumValueDefinition, _ name: String) -> Resolved {
    switch name {
    case "name": .text(value.name)
    case "description": .text(value.description)
    default: .deprecation(value.deprecationReason, name)
    }
  }

  /// Section 4.2.6.
  private static func ofDirective(
    _ directive: DirectiveDefinition, _ name: String, _ includesDeprecated: Bool
  ) -> Resolved {
    switch name {
    case "name": .text(directive.name)
    case "description": .text(directive.description)
    case "isRepeatable": .json(.bool(directive.isRepeatable))
    case "locations": .json(.array(directive.locations.map { .string($0.rawValue) }))
    case "args":
      .listed(directive.arguments, includesDeprecated, \.deprecationReason) { .inputValue($0) }
    default: .null
    }
  }
}

extension Resolved {
  fileprivate static func text(_ text: String?) -> Resolved {
    .json(text.map(JSON.string) ?? .null)
  }

  fileprivate static func type(_ name: String?) -> Resolved {
    name.map { Introspection.Element.type(.named($0)).resolved } ?? .null
  }

  fileprivate static func types(_ names: [String]) -> Resolved { .list(names.map { type($0) }) }

  fileprivate static func listed<Definition>(
    _ definitions: NamedList<Definition>, _ includesDeprecated: Bool,
    _ reason: (Definition) -> String?, _ element: (Definition) -> Introspection.Element
  ) -> Resolved {
    .list(
      definitions.elements.filter { includesDeprecated || reason($0) == nil }
        .map { element($0).resolved })
  }

  fileprivate static func deprecation(_ reason: String?, _ name: String) -> Resolved {
    switch name {
    case "isDeprecated": .json(.bool(reason != nil))
    case "deprecationReason": .text(reason)
    default: .null
    }
  }
}
