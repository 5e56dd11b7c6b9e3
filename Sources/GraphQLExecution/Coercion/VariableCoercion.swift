import GraphJSON
import GraphQLSchema

/// Section 6.1.2, CoerceVariableValues.
enum VariableCoercion {
  /// The values of an operation's variables, in the order of their definitions. A variable without
  /// a value and without a default value is absent; values for undeclared variables are ignored.
  ///
  /// - Throws: one request error for each variable whose value does not fit.
  static func coerce(
    _ given: JSON.Object, for operation: OperationDefinition, _ schema: ServiceSchema,
    _ sources: [Source]
  ) throws(VariableErrors) -> JSON.Object {
    if operation.variables.isEmpty { return JSON.Object() }
    var coercer = InputCoercer(schema: schema)
    var values = JSON.Object()
    var errors: [ExecutionError] = []
    for variable in operation.variables {
      do throws(InputFailure) {
        if let value = given[variable.name] {
          values[variable.name] = try coercer.coerce(value, as: variable.type)
        } else if let value = variable.defaultValue {
          values[variable.name] = try coercer.coerce(constant: value, as: variable.type)
        } else if variable.type.isNonNull {
          throw InputFailure(
            "A value of type \(quoted(variable.type.description)) is required.")
        }
      } catch {
        errors.append(
          ExecutionError(
            "The variable \(quoted("$\(variable.name)\(error.path)")) is invalid: \(error.message)",
            locations: sources.locations(of: [variable.nameRange])))
      }
    }
    if !errors.isEmpty { throw VariableErrors(errors: errors) }
    return values
  }
}

struct VariableErrors: Error {
  let errors: [ExecutionError]
}

extension [Source] {
  /// The positions of nodes of the document, in the form of a response's errors.
  func locations(of ranges: [SourceRange]) -> [ExecutionError.Location] {
    ranges.compactMap { range in
      guard range.isKnown, Int(range.source) < count else { return nil }
      let (line, column) = self[Int(range.source)].lineAndColumn(at: Int(range.start))
      return ExecutionError.Location(line: line, column: column)
    }
  }
}
