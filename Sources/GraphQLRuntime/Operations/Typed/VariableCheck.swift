import GraphJSON

extension GraphQL {
  /// Checks the values for the variables of a fragment against the arguments that use them. A typed operation needs no
  /// such check, since the compiler makes it.
  struct VariableCheck {
    let schema: SchemaTable
    let variables: (String) -> JSON?

    /// The problem with the value of an argument; nil if there is none.
    func problem(_ value: TemplateValue, _ type: TypeReference) -> String? {
      problem(value, type.wrapping, schema.namedType(type.name))
    }

    private func problem(
      _ value: TemplateValue, _ wrapping: Wrapping, _ named: NamedType
    ) -> String? {
      switch value {
      // The generator has checked it.
      case .json: return nil
      case .variable(let name):
        guard let json = variables(name) else {
          return wrapping.outermost == .nonNull ? "the variable `$\(name)` needs a value" : nil
        }
        return problem(json, wrapping, named).map { "the variable `$\(name)`: \($0)" }
      case .list(let elements):
        let element = wrapping.nullable.outermost == .list ? wrapping.nullable.inner : wrapping
        return elements.lazy.compactMap { problem($0, element, named) }.first
      case .object(let fields):
        return fields.lazy.compactMap { argument in
          field(argument.name, of: named).flatMap {
            problem(argument.value, $0.type.wrapping, $0.named)
          }
        }.first
      }
    }

    /// Specification: 3.5 Scalars, 3.10 Input Objects, 3.11 List, Input Coercion.
    private func problem(_ json: JSON, _ wrapping: Wrapping, _ named: NamedType) -> String? {
      let nullable = wrapping.nullable
      switch json {
      case .null:
        return wrapping.outermost == .nonNull ? "null where the schema requires a value" : nil
      case .array(let elements) where nullable.outermost == .list:
        return elements.lazy.compactMap { problem($0, nullable.inner, named) }.first
      case _ where nullable.outermost == .list: return problem(json, nullable.inner, named)
      case .object(let object):
        guard case .input = named else { return leafProblem(json, named) }
        return object.lazy.compactMap { member in
          guard let field = field(member.key, of: named) else {
            return "there is no field `\(member.key)`"
          }
          return problem(member.value, field.type.wrapping, field.named)
            .map { "`\(member.key)`: \($0)" }
        }.first
      default: return leafProblem(json, named)
      }
    }

    private func leafProblem(_ json: JSON, _ named: NamedType) -> String? {
      var writer = JSONWriter()
      writer.value(json)
      guard let document = try? JSONDocument(parsing: writer.finish()) else {
        return "lists and objects are nested too deep"
      }
      return LeafCheck(document).problem(JSONDocument.rootIndex, named)
    }

    private func field(_ name: String, of named: NamedType) -> FieldInfo? {
      guard case .input(let position) = named else { return nil }
      return schema.type(at: position).field(name)
    }
  }
}

extension GraphQL.Wrapping {
  /// Without the outermost layer if that is non-null.
  fileprivate var nullable: GraphQL.Wrapping { outermost == .nonNull ? inner : self }
}
