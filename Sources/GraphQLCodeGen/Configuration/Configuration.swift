public import GraphQLSchema

/// What `graphql-generator.json` says. Every key is optional.
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
  /// `namespace`: the Swift enum that holds all generated types, and the stem of the file names.
  /// A name; `"API"` by default.
  public var namespace: String
  /// `access`: `"public"` (default), `"package"` or `"internal"`, of everything generated.
  public var access: AccessLevel
  /// `classes`: `"final"` (default) or `"open"`. Final classes compile faster and are smaller; open
  /// ones may be subclassed, and their subclasses must stay immutable.
  public var classes: ClassKind
  /// `scalars`: the Swift types of custom scalars by the scalar's name. See `ScalarMapping`.
  public var scalars: [String: Located<ScalarMapping>]
  /// `types`: how the store treats objects, by the name of the type. See `TypePolicy`.
  public var types: [String: Located<TypePolicy>]
  /// `allow`: types (`"Product"`) and fields (`"Product.title"`) that are generated, and nothing
  /// else. Scalars, enums and input objects need no entry: they come along with what uses them.
  /// An empty list allows everything.
  public var allow: [Located<ListedElement>]
  /// `deny`: types and fields that are not generated, whatever `allow` says. With either list, types
  /// that no root type reaches any more are left out as well.
  public var deny: [Located<ListedElement>]
  /// `layout`: `{ "files": 4 }` (default) spreads the object types over that many files of about
  /// the same weight, and the names of all files follow from the configuration alone;
  /// `{ "perType": true }` writes a file per type, which takes longer to compile.
  public var layout: Layout
  /// `pruning`: `"all"` (default) generates everything; `{ "usage": ["Sources/App"] }` only what the
  /// Swift sources in those folders, relative to the configuration, can name. Every target that uses
  /// the module has to be listed.
  public var pruning: Pruning
  /// `schema`: path or paths of the schema, relative to the configuration; read by the tool only.
  public var schema: [String]
  /// `output`: folder of the generated files, relative to the configuration; read by the tool only.
  public var output: String?

  /// A configuration with the values that are given, and defaults for the others.
  public init(
    namespace: String = "API", access: AccessLevel = .public, classes: ClassKind = .final,
    scalars: [String: Located<ScalarMapping>] = [:], types: [String: Located<TypePolicy>] = [:],
    allow: [Located<ListedElement>] = [], deny: [Located<ListedElement>] = [],
    layout: Layout = .files(Layout.defaultFiles), pruning: Pruning = .all, schema: [String] = [],
    output: String? = nil
  ) {
    self.namespace = namespace
    self.access = access
    self.classes = classes
    self.scalars = scalars
    self.types = types
    self.allow = allow
    self.deny = deny
    self.layout = layout
    self.pruning = pruning
    self.schema = schema
    self.output = output
  }

  /// Who may use the generated code.
  public enum AccessLevel: String, Sendable, CaseIterable {
    case `public`, package, `internal`
  }

  /// Whether generated classes may be subclassed.
  public enum ClassKind: String, Sendable, CaseIterable {
    case final, open
  }

  /// What of the schema is generated.
  public enum Pruning: Sendable, Equatable {
    case all
    /// What the sources in these folders can name.
    case usage([String])
  }

  /// How the declarations are spread over files.
  public enum Layout: Sendable, Equatable {
    /// A fixed number of files for the object types, 1 to 64.
    case files(Int)
    case perType

    /// The number of files where nothing is said.
    public static let defaultFiles = 4
    static let possibleFiles = 1...64
  }
}

/// A value with the place in the configuration where it is written; the place is no part of it.
public struct Located<Value: Sendable>: Sendable {
  /// What the configuration says.
  public var value: Value
  /// nil for values made in code.
  public var location: SourceLocation?

  /// A value, and its place if it was read from a file.
  public init(_ value: Value, at location: SourceLocation? = nil) {
    self.value = value
    self.location = location
  }
}

extension Located: Equatable where Value: Equatable {
  public static func == (lhs: Located, rhs: Located) -> Bool { lhs.value == rhs.value }
}
