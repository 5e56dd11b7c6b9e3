import GraphJSON
import GraphQLSchema

/// Section 6.4.1, CoerceArgumentValues; also for the arguments of directives.
extension InputCoercer {
  /// - Throws: an execution error with the position of the argument, or of the field if it is
  ///   missing.
  mutating func coerceArguments(
    _ arguments: [Document.Argument], _ definitions: NamedList<InputValueDefinition>,
    at range: SourceRange,
    _ sources: [Source]
  ) throws(ExecutionError) -> JSON.Object {
    var values = JSON.Object()
    for definition in definitions.elements {
      let argument = arguments.first { $0.name == definition.name }
      do throws(InputFailure) {
        values[definition.name] = try coerceArgument(argument, definition)
      } catch {
        throw ExecutionError(
          "The argument \(quoted(definition.name + error.path)) is invalid: \(error.message)",
          locations: sources.locations(of: [error.range ?? argument?.value.range ?? range]))
      }
    }
    return values
  }

  private mutating func coerceArgument(
    _ argument: Document.Argument?, _ definition: InputValueDefinition
  ) throws(InputFailure) -> JSON? {
    if let argument {
      if case .variable(let name) = argument.value.kind, variables[name] == nil {
        // Not given, so it is treated as if the argument was not written.
        if definition.defaultValue == nil, definition.type.isNonNull {
          throw .nullVariable(name, definition.type, at: argument.value.range)
        }
      } else {
        return try coerce(argument.value, as: definition.type)
      }
    }
    if let value = definition.defaultValue {
      return try coerce(defaultValue: value, as: definition.type)
    }
    if definition.type.isNonNull {
      throw InputFailure(
        "A value of type \(quoted(definition.type.description)) is required.")
    }
    return nil
  }
}
