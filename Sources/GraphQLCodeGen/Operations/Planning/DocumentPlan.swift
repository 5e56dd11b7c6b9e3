/// The generated file of a document, with every decision made. Free text is still raw; emitters escape
/// it as they write it.
struct DocumentPlan: Sendable {
  var fileName: String
  /// Modules to import, sorted.
  var imports: [String] = []
  /// Those with types that the declarations name.
  var visibleImports: Set<String> = []
  var definitions: [DefinitionPlan]
}

indirect enum DefinitionPlan: Sendable {
  case operation(OperationPlan)
  case fragment(FragmentPlan)
}

/// The text of a definition with those that it uses, and what identifies it.
struct TextPlan: Sendable {
  /// The name in the document.
  var name: String
  var text: String
  var hash: String
  /// The checksum of the views.
  var shape: UInt32
}

struct OperationPlan: Sendable {
  /// The Swift type.
  var name: String
  /// The protocol that it adopts.
  var kind: String
  var documentation: Documentation
  var text: TextPlan
  var variables: [ArgumentPlan]
  var clientDirectives: [ClientDirectiveUse] = []
  /// The comment of the initialiser.
  var initializer: Documentation
  var data: StructPlan
}

struct FragmentPlan: Sendable {
  var documentation: Documentation
  var text: TextPlan
  var fields: StructPlan
}

/// A struct that reads what is selected of an object.
struct StructPlan: Sendable {
  var name: String
  var documentation: Documentation
  /// Whether it has a property `id` that identifies the object.
  var isIdentifiable: Bool
  var members: [MemberPlan]
  var cases: CasesPlan?
  var nested: [NestedPlan]

  /// How many types are within each other in the code; deeper ones are in extensions. For the name of a symbol,
  /// Swift 6.2 visits the types around it, and from each of them again those around that. Time doubles with each level.
  private static let deepest = 8

  /// Whether the types that are nested in a struct are in an extension of it.
  ///
  /// - Parameter path: The struct's path, without a namespace.
  static func hasExtension(at path: String) -> Bool { depth(of: path).isMultiple(of: deepest) }

  /// Whether a struct is in an extension, where names of the namespace are not in scope.
  static func isInExtension(at path: String) -> Bool { depth(of: path) > deepest }

  private static func depth(of path: String) -> Int {
    path.utf8.count { $0 == UInt8(ascii: ".") } + 1
  }
}

/// A property of a struct. A class, as `FieldPlan`.
final class MemberPlan: Sendable {
  let property: String
  let type: SwiftType
  /// The function of the runtime that reads it.
  let accessor: String
  let slot: Int
  /// The rest of the call, after the slot.
  let arguments: String
  /// The key of a field that throws its error.
  let caughtKey: String?
  let documentation: Documentation
  let deprecation: String?

  init(
    property: String, type: SwiftType, accessor: String, slot: Int, arguments: String,
    caughtKey: String? = nil, documentation: Documentation, deprecation: String?
  ) {
    self.property = property
    self.type = type
    self.accessor = accessor
    self.slot = slot
    self.arguments = arguments
    self.caughtKey = caughtKey
    self.documentation = documentation
    self.deprecation = deprecation
  }
}

/// The object types of a union or interface as an enum.
struct CasesPlan: Sendable {
  var property: String
  var name: String
  var cases: [Case]
  /// The slot of the name of the type.
  var typenameSlot: Int

  struct Case: Sendable {
    var name: String
    var type: String
    var slot: Int
  }
}

indirect enum NestedPlan: Sendable {
  case structure(StructPlan)
  /// Another struct that selects the same, by its path.
  case alias(name: String, path: String)
}
