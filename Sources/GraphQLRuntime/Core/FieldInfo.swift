extension GraphQL {
  /// A field (or an input object's field) in the table of its type.
  package final class FieldInfo: Sendable {
    package let name: String
    /// A space and the name, for documents.
    let spacedName: [UInt8]
    package let type: TypeReference
    package let named: NamedType
    package let arguments: [ArgumentInfo]

    init(name: String, type: TypeReference, named: NamedType, arguments: [ArgumentInfo]) {
      self.name = name
      spacedName = Array(" \(name)".utf8)
      self.type = type
      self.named = named
      self.arguments = arguments
    }

    package func argument(_ name: String) -> ArgumentInfo? {
      arguments.first { $0.name == name }
    }
  }

  package struct ArgumentInfo: Sendable {
    package let name: String
    package let type: TypeReference

    /// The condition of `@include` and `@skip`.
    static let condition = ArgumentInfo(name: "if", type: TypeReference(text: "Boolean!"))
  }

  /// The kind of type for a name, determined once when its table is read.
  package enum NamedType: Sendable {
    case int, float, string, boolean, id, enumeration
    /// A custom scalar; without a binding it keeps any JSON value.
    case scalar((any Scalar.Type)?)
    /// An object, interface or union, by its position in the table.
    case composite(Int)
    /// An input object, by its position in the table.
    case input(Int)
  }
}
