import GraphQLSchema

/// The size of a schema, without built-in definitions.
struct SchemaFigures: Equatable {
  /// The number of elements and the number of deprecated ones.
  struct Count: Equatable {
    var all = 0
    var deprecated = 0

    fileprivate mutating func add(_ reason: String?) {
      all += 1
      if reason != nil { deprecated += 1 }
    }
  }

  var scalars = 0
  var objects = 0
  var interfaces = 0
  var unions = 0
  var enums = 0
  var inputObjects = 0
  var directives = 0
  /// Those of objects and interfaces.
  var fields = Count()
  /// Those of fields.
  var arguments = Count()
  var inputFields = Count()
  var enumValues = Count()

  init(_ schema: ServiceSchema) {
    directives = schema.directives.count
    for type in schema.types {
      switch type {
      case .scalar: scalars += 1
      case .object: objects += 1
      case .interface: interfaces += 1
      case .union: unions += 1
      case .enum(let type):
        enums += 1
        for value in type.values { enumValues.add(value.deprecationReason) }
      case .inputObject(let type):
        inputObjects += 1
        for field in type.fields { inputFields.add(field.deprecationReason) }
      }
      for field in type.fields?.elements ?? [] {
        fields.add(field.deprecationReason)
        for argument in field.arguments { arguments.add(argument.deprecationReason) }
      }
    }
  }

  var types: Int { scalars + objects + interfaces + unions + enums + inputObjects }
}
