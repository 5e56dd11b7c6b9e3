#if !ONE_MODULE
  import GraphJSON
  public import GraphQLSchema
#endif

/// The contents of `graphql-generator.json`. Every key is optional.
///
/// ```json
/// {
///   "namespace": "Storefront",
///   "scalars": { "HTML": "String", "Money": { "type": "Money", "import": "MoneyKit" } },
///   "types": { "Product": { "key": ["id"], "policy": "persistent" } },
///   "deny": ["QueryRoot.debug"]
/// }
/// ```
public struct Configuration: Sendable, Equatable {
  /// `namespace`: the Swift enum that contains all generated types, and the stem of the file names.
  /// A name; `"API"` by default.
  public var namespace: String
  /// `access`: `"public"` (default), `"package"` or `"internal"`, for all generated declarations.
  public var access: AccessLevel
  /// `classes`: `"final"` (default) or `"open"`. Final classes compile faster and are smaller; open
  /// ones may be subclassed, and their subclasses must stay immutable.
  public var classes: ClassKind
  /// `scalars`: the Swift types of custom scalars by the scalar's name. See `ScalarMapping`.
  public var scalars: [String: Located<ScalarMapping>]
  /// `types`: how the store handles objects, by the name of the type. See `Graph.TypePolicy`.
  public var types: [String: Located<TypePolicy>]
  /// `allow`: types (`"Product"`) and fields (`"Product.title"`) to generate, and nothing else.
  /// Scalars, enums and input objects need no entry: they are included if they are used. An empty
  /// list allows everything.
  public var allow: [Located<ListedElement>]
  /// `deny`: types and fields that are not generated, whatever `allow` contains. With either list,
  /// types that no root type reaches any more are left out as well.
  public var deny: [Located<ListedElement>]
  /// `naming`: `"camelCase"` (default) writes fields, arguments, enum values and directives as
  /// `createdAt` and types as `OrderBy`, whatever their case in the schema; `"asWritten"` keeps the
  /// names of the schema. Documents and the store always use the names of the schema.
  public var naming: Naming
  /// `acronyms`: lower-case words such as `"url"` that are written in capitals, unless a member's
  /// name begins with them: `image_url` and `imageUrl` become `imageURL`. Empty by default.
  public var acronyms: [String]
  /// `rename`: Swift names by schema coordinates (section 2.14), such as `"users": "User"`,
  /// `"Product.descriptionHtml": "html"` or `"Query.products(first:)": "count"`.
  public var rename: [SchemaCoordinate: Located<String>]
  /// `layout`: `{ "files": 4 }` (default) distributes the object types over that many files of
  /// about the same weight, and the names of all files depend only on the configuration; `{
  /// "perType": true }` writes a file per type, which takes longer to compile.
  public var layout: Layout
  /// `pruning`: `"all"` (default) generates everything; `{ "usage": ["Sources/App"] }` only what
  /// the Swift sources in those folders, relative to the configuration, can name. List every target
  /// that uses the module. If it is part of library products, also list the targets of other packages
  /// that use it and, as `"products": ["Shop"]`, these products: the plugins require that.
  public var pruning: Pruning
  /// `builders`: `false` generates only what documents need: the table of the schema, enums and input
  /// objects. There are no builders and no classes for responses then, and pruning ignores the names of
  /// fields in Swift sources. `true` by default.
  public var builders: Bool
  /// `clientDirectives`: names of directives that the schema defines for the client, such as `"priority"`. They are
  /// checked as other directives, but never sent; an operation of a document has their values.
  public var clientDirectives: [Located<String>]
  /// `schema`: path or paths of the schema, relative to the configuration; only the tool reads it.
  public var schema: [String]
  /// `allowUndefinedTypes`: whether an extension of a type that is not defined defines it, as in a
  /// subgraph of a federation; false by default. Only the tool reads it.
  public var allowUndefinedTypes: Bool
  /// `output`: folder of the generated files, relative to the configuration; only the tool reads
  /// it.
  public var output: String?
  /// `operations`: how the module's executable documents are generated. See `OperationOptions`.
  public var operations: OperationOptions

  /// A configuration with the given values, and defaults for the others.
  public init(
    namespace: String = "API", access: AccessLevel = .public, classes: ClassKind = .final,
    scalars: [String: Located<ScalarMapping>] = [:], types: [String: Located<TypePolicy>] = [:],
    allow: [Located<ListedElement>] = [], deny: [Located<ListedElement>] = [],
    naming: Naming = .camelCase, acronyms: [String] = [],
    rename: [SchemaCoordinate: Located<String>] = [:],
    layout: Layout = .files(Layout.defaultFiles), pruning: Pruning = .all, builders: Bool = true,
    clientDirectives: [Located<String>] = [], schema: [String] = [],
    allowUndefinedTypes: Bool = false, output: String? = nil,
    operations: OperationOptions = OperationOptions()
  ) {
    self.namespace = namespace
    self.access = access
    self.classes = classes
    self.scalars = scalars
    self.types = types
    self.allow = allow
    self.deny = deny
    self.naming = naming
    self.acronyms = acronyms
    self.rename = rename
    self.layout = layout
    self.pruning = pruning
    self.builders = builders
    self.clientDirectives = clientDirectives
    self.schema = schema
    self.allowUndefinedTypes = allowUndefinedTypes
    self.output = output
    self.operations = operations
  }

  /// The access level of the generated code.
  public enum AccessLevel: String, Sendable, CaseIterable {
    case `public`, package, `internal`

    package func isWider(than other: Self) -> Bool {
      switch (self, other) {
      case (.public, .package), (.public, .internal), (.package, .internal): true
      default: false
      }
    }
  }

  /// Whether generated classes may be subclassed.
  public enum ClassKind: String, Sendable, CaseIterable {
    case final, open
  }

  /// How names of the schema are written in Swift.
  public enum Naming: String, Sendable, CaseIterable {
    /// Members as `createdAt`, types as `OrderBy`.
    case camelCase
    /// As in the schema.
    case asWritten
  }

  /// Which part of the schema is generated.
  public enum Pruning: Sendable, Equatable {
    case all
    /// Everything that the sources in these folders can name.
    case usage([String])
  }

  /// How the declarations are distributed over files.
  public enum Layout: Sendable, Equatable {
    /// A fixed number of files for the object types, 1 to 64.
    case files(Int)
    case perType

    /// The default number of files.
    public static let defaultFiles = 4
    static let possibleFiles = 1...64
  }
}

/// A value with its position in the configuration; the position is ignored in comparisons.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// nil for values created in code.
  public var position: SourcePosition?

  /// A value, and its position if it was read from a file.
  public init(_ value: Value, at position: SourcePosition? = nil) {
    self.value = value
    self.position = position
  }
}

extension Located: Equatable where Value: Equatable {
  public static func == (lhs: Located, rhs: Located) -> Bool { lhs.value == rhs.value }
}

extension Configuration {
  /// The position of a path in a list, or of the only one; nil if there is none. The text is parsed again, since
  /// only an error needs the position.
  ///
  /// - Parameter keys: those of the list, such as `pruning`, `usage`.
  package static func position(
    ofPath index: Int, in keys: [String], of source: Source
  ) -> SourcePosition? {
    guard let document = try? JSONDocument(parsing: source.bytesOfJSON) else { return nil }
    var node: JSONNode? = document.root
    for key in keys { node = node?.members?.first { $0.key == key }?.value }
    guard let node else { return nil }
    let paths = node.array ?? [node]
    guard paths.indices.contains(index) else { return nil }
    return ConfigurationReader(source: source).position(of: paths[index])
  }

  /// The position of the value of a key; nil if the text does not have the key.
  package static func position(ofKey key: String, of source: Source) -> SourcePosition? {
    guard let document = try? JSONDocument(parsing: source.bytesOfJSON),
      let value = document.root.members?.first(where: { $0.key == key })?.value
    else { return nil }
    return ConfigurationReader(source: source).position(of: value)
  }
}

/// `operations`: how the documents of a module are generated.
///
/// ```json
/// { "operations": { "namespace": "Shop", "manifest": "apollo" } }
/// ```
public struct OperationOptions: Sendable, Equatable {
  /// `namespace`: the Swift enum that contains the types of operations and fragments. Without it, they
  /// are at the top level of the module.
  public var namespace: Located<String>?
  /// `documents`: files, and folders of files, relative to the configuration; only the tool and the
  /// plugins read it. The plugins add the documents in the target's folder.
  public var documents: [String]
  /// `schemaModule`: the module with the schema, for a target that depends on several; only the
  /// plugins use it.
  public var schemaModule: String?
  /// `manifest`: writes a manifest of all operations next to the generated files; only the tool reads
  /// it.
  public var manifest: ManifestFormat?

  /// Options with the given values, and defaults for the others.
  public init(
    namespace: Located<String>? = nil, documents: [String] = [], schemaModule: String? = nil,
    manifest: ManifestFormat? = nil
  ) {
    self.namespace = namespace
    self.documents = documents
    self.schemaModule = schemaModule
    self.manifest = manifest
  }

  /// The formats of manifests of trusted documents.
  public enum ManifestFormat: String, Sendable, CaseIterable {
    /// `apollo-persisted-query-manifest`, version 1: a list of operations with `id`, `name`, `type` and
    /// `body`.
    case apollo
    /// Relay's: an object with the text of each operation by its hash.
    case relay
  }
}

/// An entry of the allow and deny lists: a type or one of its fields, in the form of the
/// specification's schema coordinates, `Product` or `Product.title` (section 2.14).
public struct ListedElement: Sendable, Hashable, CustomStringConvertible {
  /// The type's name in the schema.
  public var type: String
  /// A field of an object, interface or input object; nil for the whole type.
  public var field: String?

  /// An entry for a type, or for one of its fields.
  public init(type: String, field: String? = nil) {
    self.type = type
    self.field = field
  }

  /// nil if the text is neither a name nor two names separated by a dot.
  public init?(_ text: String) {
    switch SchemaCoordinate(text) {
    case .type(let type): self.init(type: type)
    case .member(let type, let field): self.init(type: type, field: field)
    case .argument, .directive, .directiveArgument, nil: return nil
    }
  }

  public var description: String { field.map { "\(type).\($0)" } ?? type }
}

/// The Swift type of a custom scalar.
///
/// In the configuration, either the name of a predefined type (`"DateTime"`) or a type of your own
/// that conforms to `GraphQL.Scalar`: `{ "type": "Money", "import": "MoneyKit" }`, where `import`
/// is the module to import, if it is another one.
public enum ScalarMapping: Sendable, Equatable {
  case ready(ReadyScalar)
  /// A path of identifiers, and the module that declares it.
  case custom(type: String, module: String?)
}

/// The predefined types of the runtime for scalars.
///
/// A scalar with one of the names `DateTime`, `Date`, `URL`, `URI`, `Decimal`, `JSON`, `BigInt` or
/// `Upload` needs no configuration. A scalar without a mapping keeps any JSON value.
public enum ReadyScalar: String, Sendable, CaseIterable {
  case string = "String"
  case int = "Int"
  case double = "Double"
  case bool = "Bool"
  case id = "ID"
  case dateTime = "DateTime"
  case date = "Date"
  case url = "URL"
  case decimal = "Decimal"
  case json = "JSON"
  case bigInt = "BigInt"
  /// A file in arguments and input objects. In results, it keeps any JSON value.
  case upload = "Upload"

  /// The default mapping for a scalar's name.
  static func byName(_ scalar: String) -> ReadyScalar? {
    switch scalar {
    case "DateTime": .dateTime
    case "Date": .date
    case "URL", "URI": .url
    case "Decimal": .decimal
    case "JSON": .json
    case "BigInt": .bigInt
    case "Upload": .upload
    default: nil
    }
  }

  /// The built-in scalar with the same Swift type (section 3.5), which needs no conversion.
  var builtInScalar: String? {
    switch self {
    case .string: "String"
    case .int: "Int"
    case .double: "Float"
    case .bool: "Boolean"
    case .id: "ID"
    default: nil
    }
  }

  /// The type in generated code; a standard type if `standard` is true.
  var type: (name: String, isStandard: Bool) {
    switch self {
    case .string: ("String", true)
    case .int: ("Int", true)
    case .double: ("Double", true)
    case .bool: ("Bool", true)
    case .id: (RuntimeSymbols.id, false)
    case .dateTime: (RuntimeSymbols.dateTime, false)
    case .date: (RuntimeSymbols.localDate, false)
    case .url: (RuntimeSymbols.url, false)
    case .decimal: (RuntimeSymbols.decimal, false)
    case .json: (RuntimeSymbols.json, false)
    case .bigInt: (RuntimeSymbols.bigInt, false)
    case .upload: (RuntimeSymbols.upload, false)
    }
  }
}

/// How generated code spells custom types. These functions return nil for predefined types.
extension ScalarMapping {
  /// In the code of the schema: with its module only if a type that is declared there hides it.
  ///
  /// - Parameter declared: the names that the code of the schema declares.
  func typeInSchema(declared: Set<String>) -> String? {
    guard case .custom(let path, _) = self, let firstName else { return nil }
    return declared.contains(firstName) ? qualifiedType(unlessHiddenBy: declared) ?? path : path
  }

  /// In the code of documents: with its module, since types of documents may have its name.
  ///
  /// - Parameter namespace: that of the schema, which is the only type of the schema that may hide the module there.
  func typeInDocuments(namespace: String) -> String? {
    guard case .custom(let path, _) = self else { return nil }
    return qualifiedType(unlessHiddenBy: [namespace]) ?? path
  }

  /// The first name in the path of a custom type, which another declaration can hide.
  var firstName: String? {
    guard case .custom(let path, _) = self else { return nil }
    return String(path.prefix { $0 != "." })
  }

  /// A custom type with its module; nil if the module is not known, or is itself hidden by the type or by one of
  /// the names.
  func qualifiedType(unlessHiddenBy names: Set<String>) -> String? {
    guard case .custom(let path, let module?) = self, firstName != module, !names.contains(module)
    else { return nil }
    return module + "." + path
  }
}

/// How the store handles the objects of a type. Written into the schema table.
public struct TypePolicy: Sendable, Equatable {
  /// The configuration's name for the policy of all types that it does not name. It applies to
  /// types with `id: ID!`, and only its `policy` and `maxAge` are used.
  public static let others = "*"

  /// `key`: the fields that identify an object, in order. `["id"]` by default if the type has `id:
  /// ID!`; an empty list means that the objects have no key.
  public var key: [String]?
  /// `policy`: whether objects are written to disk.
  public var policy: Persistence?
  /// `maxAge`: seconds after which an object is stale.
  public var maxAge: Int?
  /// `version`: the field whose value grows with each change on the server.
  public var version: String?
  /// `delete`: how deleting an object affects the targets of its fields, by the names of the
  /// fields.
  public var delete: [String: DeleteRule]
  /// `referrers`: what happens to objects with links to a deleted one.
  public var referrers: ReferrerRule?
  /// `queryable`: fields for which the store keeps an index, such as `vendor` or `price.amount`.
  public var queryable: [String]
  /// `inverses`: fields that lead to objects whose field leads back, such as `"persons": "club"`.
  public var inverses: [String: String]
  /// `lists`: how a new list changes the stored one, by the names of fields.
  public var lists: [String: ListRule]
  /// `supportedOperations`: names of the operations that the outbox may queue for the type.
  public var supportedOperations: [String]

  /// A policy with the given values, and defaults for the others.
  public init(
    key: [String]? = nil, policy: Persistence? = nil, maxAge: Int? = nil, version: String? = nil,
    delete: [String: DeleteRule] = [:], referrers: ReferrerRule? = nil,
    lists: [String: ListRule] = [:], queryable: [String] = [],
    inverses: [String: String] = [:], supportedOperations: [String] = []
  ) {
    self.key = key
    self.policy = policy
    self.maxAge = maxAge
    self.version = version
    self.delete = delete
    self.referrers = referrers
    self.queryable = queryable
    self.inverses = inverses
    self.lists = lists
    self.supportedOperations = supportedOperations
  }

  /// Whether objects are written to disk.
  public enum Persistence: String, Sendable, CaseIterable {
    /// Written to disk.
    case persistent
    /// Kept in memory, never written to disk.
    case transient
    /// Written to disk and purged at logout.
    case sensitive
  }

  /// How a new list changes the stored one.
  public enum ListRule: String, Sendable, CaseIterable {
    /// It replaces the stored one.
    case replace
    /// It replaces the stored one, and objects that are no longer in the list are deleted.
    case replaceDeletingOld
    /// Its objects are added after the existing ones.
    case append
  }

  /// How deleting an object affects the targets of one of its fields.
  public enum DeleteRule: String, Sendable, CaseIterable {
    /// They lose their links to it.
    case nullify
    /// They are deleted as well.
    case cascade
    /// The object is not deleted while there are any.
    case deny
    /// They stay unchanged.
    case noAction
  }

  /// The effect of a deletion on the objects with links to the deleted one.
  public enum ReferrerRule: String, Sendable, CaseIterable {
    /// The links become null.
    case unlink
    /// The objects are deleted as well.
    case delete
  }
}
