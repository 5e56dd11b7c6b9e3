extension GraphQL {
  /// A field (or an input object's field) as the table of its type lists it.
  struct FieldInfo: Sendable {
    let name: String
    let type: TypeReference
    let named: NamedType
    let arguments: [ArgumentInfo]

    func argument(_ name: String) -> ArgumentInfo? {
      arguments.first { $0.name == name }
    }
  }

  struct ArgumentInfo: Sendable {
    let name: String
    let type: TypeReference
  }

  /// What a type's name stands for, decided once when its table is read.
  enum NamedType: Sendable {
    case int, float, string, boolean, id, enumeration
    /// A custom scalar; without a binding it keeps any JSON value.
    case scalar((any Scalar.Type)?)
    /// An object, interface or union, by its position in the table.
    case composite(Int)
    /// An input object, by its position in the table.
    case input(Int)
  }
}
