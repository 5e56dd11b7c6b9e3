#if !ONE_MODULE
  import GraphJSON
  public import GraphQLSchema
#endif

extension Configuration {
  /// Reads `graphql-generator.json`.
  ///
  /// - Throws: All errors in the text, each with its position. Unknown keys are errors.
  public init(parsing source: Source) throws(Diagnostics) {
    if let encoding = source.wideEncoding {
      throw Diagnostics([
        Diagnostic(
          code: "JSON", message: "The file seems to be \(encoding), not UTF-8.",
          at: source.position(from: 0, to: 1), suggestion: "Save it as UTF-8.")
      ])
    }
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: source.bytesOfJSON)
    } catch {
      let position = source.position(from: error.offset, to: error.offset + 1)
      throw Diagnostics([Diagnostic(code: "JSON", message: error.message, at: position)])
    }
    var reader = ConfigurationReader(source: source)
    self = reader.configuration(document.root)
    try reader.report.check()
  }
}

/// Reads the values of a configuration, and reports errors.
struct ConfigurationReader {
  let source: Source
  var report = Report()

  init(source: Source) {
    self.source = source
  }

  mutating func configuration(_ node: JSONNode) -> Configuration {
    var result = Configuration()
    let keys = [
      "namespace", "access", "classes", "scalars", "types", "allow", "deny", "naming", "acronyms",
      "rename", "layout", "pruning", "builders", "clientDirectives", "schema",
      "allowUndefinedTypes", "output", "operations",
    ]
    for member in members(of: node, keys: keys) {
      let value = member.value
      switch member.key {
      case "namespace": namespace(value).map { result.namespace = $0 }
      case "access": choice(value).map { result.access = $0 }
      case "classes": choice(value).map { result.classes = $0 }
      case "scalars": result.scalars = dictionary(value) { $0.scalarMapping($1) }
      case "types": result.types = dictionary(value) { $0.typePolicy($1) }
      case "allow": result.allow = coordinates(value)
      case "deny": result.deny = coordinates(value)
      case "naming": choice(value).map { result.naming = $0 }
      case "acronyms": result.acronyms = acronyms(value)
      case "rename": result.rename = renames(value)
      case "layout": layout(value).map { result.layout = $0 }
      case "pruning": pruning(value).map { result.pruning = $0 }
      case "builders": bool(value).map { result.builders = $0 }
      case "clientDirectives":
        result.clientDirectives = array(value).compactMap { element in
          string(element).map { Located($0, at: position(of: element)) }
        }
      case "schema": result.schema = value.kind == .string ? strings([value]) : strings(in: value)
      case "allowUndefinedTypes": bool(value).map { result.allowUndefinedTypes = $0 }
      case "operations": result.operations = operations(value)
      default: result.output = string(value)
      }
    }
    return result
  }

  private mutating func operations(_ node: JSONNode) -> OperationOptions {
    var options = OperationOptions()
    let keys = ["namespace", "documents", "schemaModule", "manifest"]
    for member in members(of: node, keys: keys) {
      let value = member.value
      switch member.key {
      case "namespace":
        options.namespace = namespace(value).map { Located($0, at: position(of: value)) }
      case "documents": options.documents = strings(in: value)
      case "schemaModule": options.schemaModule = string(value)
      default: options.manifest = choice(value)
      }
    }
    return options
  }

  private mutating func namespace(_ node: JSONNode) -> String? {
    guard let name = string(node) else { return nil }
    if Configuration.isNamespace(name) { return name }
    error("InvalidNamespace", "\(quoted(name)) cannot be the name of a Swift enum.", at: node)
    return nil
  }

  private mutating func coordinates(_ node: JSONNode) -> [Located<ListedElement>] {
    array(node).compactMap { element in
      guard let text = string(element) else { return nil }
      if let coordinate = ListedElement(text) {
        return Located(coordinate, at: position(of: element))
      }
      error(
        "InvalidCoordinate",
        "\(quoted(text)) is neither a type like `Product` nor a field like `Product.title`.",
        at: element)
      return nil
    }
  }

  private mutating func acronyms(_ node: JSONNode) -> [String] {
    array(node).compactMap { element in
      guard let text = string(element) else { return nil }
      if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) { return text }
      error(
        "InvalidAcronym", "\(quoted(text)) is not a word of lower-case letters like `url`.",
        at: element)
      return nil
    }
  }

  private mutating func renames(_ node: JSONNode) -> [SchemaCoordinate: Located<String>] {
    var result: [SchemaCoordinate: Located<String>] = [:]
    let names = dictionary(node) { $0.swiftName($1) }
    for (text, name) in names.sorted(by: { $0.key < $1.key }) {
      guard let coordinate = SchemaCoordinate(text) else {
        report.error(
          "InvalidCoordinate",
          "\(quoted(text)) is not a coordinate like `Product`, `Product.title`,"
            + " `Query.products(first:)`, `@cache` or `@cache(maxAge:)`.", at: name.position)
        continue
      }
      result[coordinate] = name
    }
    return result
  }

  private mutating func swiftName(_ node: JSONNode) -> String? {
    guard let name = string(node) else { return nil }
    if Identifier.isSwiftName(name) { return name }
    error("InvalidSwiftName", "\(quoted(name)) cannot be a name in Swift.", at: node)
    return nil
  }

  private mutating func pruning(_ node: JSONNode) -> Configuration.Pruning? {
    if node.string == "all" { return .all }
    guard node.kind == .object else {
      error(
        "InvalidPruning",
        "Pruning must be `\"all\"`, or `{ \"usage\": […] }` with folders of sources.",
        at: node)
      return nil
    }
    var folders: [String] = []
    var place = node
    for member in members(of: node, keys: ["usage", "products"]) {
      let names = strings(in: member.value)
      // The plugins read `products`: they know those of the package.
      if member.key == "usage" { (folders, place) = (names, member.value) }
    }
    if !folders.isEmpty { return .usage(folders) }
    if !report.hasErrors {
      error("InvalidPruning", "At least one folder of sources is needed.", at: place)
    }
    return nil
  }

  private mutating func layout(_ node: JSONNode) -> Configuration.Layout? {
    let members = members(of: node, keys: ["files", "perType"])
    guard members.count == 1, let member = members.first else {
      if node.kind == .object, !report.hasErrors {
        error("InvalidLayout", "A layout must have either `files` or `perType`.", at: node)
      }
      return nil
    }
    if member.key == "perType" {
      return bool(member.value).map { $0 ? .perType : .files(Configuration.Layout.defaultFiles) }
    }
    if let count = member.value.int, Configuration.Layout.possibleFiles.contains(count) {
      return .files(count)
    }
    error("InvalidLayout", "The number of files must be from 1 to 64.", at: member.value)
    return nil
  }

  private mutating func scalarMapping(_ node: JSONNode) -> ScalarMapping? {
    guard node.kind == .object else {
      return choice(node).map { (ready: ReadyScalar) in .ready(ready) }
    }
    var type: String?
    var module: String?
    for member in members(of: node, keys: ["type", "import"]) {
      guard let text = string(member.value) else { return nil }
      let isModule = member.key == "import"
      guard isModule ? Identifier.isModule(text) : Identifier.isPath(text) else {
        let what = isModule ? "module" : "Swift type"
        error(
          "InvalidScalarType", "\(quoted(text)) is not the name of a \(what).", at: member.value)
        return nil
      }
      if isModule { module = text } else { type = text }
    }
    if let type { return .custom(type: type, module: module) }
    error("InvalidScalarType", "The Swift type is missing: `type`.", at: node)
    return nil
  }

  private mutating func typePolicy(_ node: JSONNode) -> TypePolicy? {
    var policy = TypePolicy()
    let keys = [
      "key", "policy", "maxAge", "version", "delete", "lists", "queryable", "inverses",
      "supportedOperations", "referrers",
    ]
    for member in members(of: node, keys: keys) {
      let value = member.value
      switch member.key {
      case "key": policy.key = names(in: value)
      case "policy": policy.policy = choice(value)
      case "maxAge": policy.maxAge = seconds(value)
      case "version": policy.version = name(value)
      case "delete":
        policy.delete = dictionary(value) { $0.choice($1) }.mapValues(\.value)
      case "referrers": policy.referrers = choice(value)
      case "queryable": policy.queryable = strings(in: value)
      case "inverses":
        policy.inverses = dictionary(value) { $0.name($1) }.mapValues(\.value)
      case "lists": policy.lists = dictionary(value) { $0.choice($1) }.mapValues(\.value)
      default: policy.supportedOperations = names(in: value)
      }
    }
    return policy
  }

  private mutating func seconds(_ node: JSONNode) -> Int? {
    if let seconds = node.int, seconds >= 0 { return seconds }
    error("InvalidMaxAge", "A non-negative number of seconds is expected.", at: node)
    return nil
  }
}

extension ConfigurationReader {
  /// The members of an object. Unknown keys are reported and left out.
  mutating func members(of node: JSONNode, keys: [String]) -> [JSONNode.Member] {
    guard let members = node.members else {
      error("WrongType", "An object is expected here.", at: node)
      return []
    }
    checkKeys(of: node)
    return members.filter { member in
      if keys.contains(member.key) { return true }
      error(
        "UnknownKey", "There is no key \(quoted(member.key)) here.", at: member.keyNode,
        suggestion: didYouMean(member.key, among: keys)
          ?? "The keys are \(keys.map { "`\($0)`" }.joined(separator: ", ")).")
      return false
    }
  }

  /// An object with names that the user chooses.
  mutating func dictionary<Value: Sendable & Equatable>(
    _ node: JSONNode, read: (inout ConfigurationReader, JSONNode) -> Value?
  ) -> [String: Located<Value>] {
    guard let members = node.members else {
      error("WrongType", "An object is expected here.", at: node)
      return [:]
    }
    checkKeys(of: node)
    var result: [String: Located<Value>] = [:]
    for member in members {
      guard let value = read(&self, member.value) else { continue }
      result[member.key] = Located(value, at: position(of: member.keyNode))
    }
    return result
  }

  /// Reports keys that are there twice: which value is meant is not known.
  private mutating func checkKeys(of node: JSONNode) {
    for key in node.repeatedKeys {
      error("DuplicateKey", "The key \(quoted(key.string ?? "")) is here twice.", at: key)
    }
  }

  mutating func array(_ node: JSONNode) -> [JSONNode] {
    if let elements = node.array { return elements }
    error("WrongType", "A list is expected here.", at: node)
    return []
  }

  mutating func string(_ node: JSONNode) -> String? {
    if let string = node.string { return string }
    error("WrongType", "A string is expected here.", at: node)
    return nil
  }

  mutating func bool(_ node: JSONNode) -> Bool? {
    if let bool = node.bool { return bool }
    error("WrongType", "`true` or `false` is expected here.", at: node)
    return nil
  }

  mutating func strings(in node: JSONNode) -> [String] { strings(array(node)) }

  mutating func strings(_ nodes: [JSONNode]) -> [String] { nodes.compactMap { string($0) } }

  mutating func names(in node: JSONNode) -> [String] { array(node).compactMap { name($0) } }

  mutating func name(_ node: JSONNode) -> String? {
    guard let text = string(node) else { return nil }
    if Identifier.isName(text) { return text }
    error("InvalidName", "\(quoted(text)) is not a name.", at: node)
    return nil
  }

  /// One of the values of an enum.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(_ node: JSONNode) -> Choice?
  where Choice.RawValue == String {
    guard let text = string(node) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let choices = Choice.allCases.map(\.rawValue)
    error(
      "UnknownValue", "\(quoted(text)) is not a valid value here.", at: node,
      suggestion: didYouMean(text, among: choices)
        ?? "The values are \(choices.map { "`\($0)`" }.joined(separator: ", ")).")
    return nil
  }

  mutating func error(
    _ code: String, _ message: String, at node: JSONNode, suggestion: String? = nil
  ) {
    report.error(code, message, at: position(of: node), suggestion: suggestion)
  }

  func position(of node: JSONNode) -> SourcePosition {
    let range = node.document.sourceRange(at: node.index)
    return source.position(from: range.lowerBound, to: range.upperBound)
  }
}

/// Checks a configuration against its schema, without the options for documents. It also checks its texts, which
/// are written into source like the names of the schema.
final class ConfigurationCheck {
  let configuration: Configuration
  let schema: ServiceSchema
  var report = Report()

  static func check(
    _ configuration: Configuration, against schema: ServiceSchema, selected: SelectedSchema
  ) -> Report {
    let check = ConfigurationCheck(configuration: configuration, schema: schema)
    check.checkModule()
    let hasCustomScalars = configuration.scalars.values.contains {
      if case .custom = $0.value { true } else { false }
    }
    let declared =
      hasCustomScalars
      ? TypeNames(schema: selected, configuration: configuration).declared : []
    for (name, mapping) in configuration.scalars.sorted(by: { $0.key < $1.key }) {
      check.checkScalar(name, mapping, declared: declared)
    }
    for (name, policy) in configuration.types.sorted(by: { $0.key < $1.key }) {
      check.checkType(name, policy)
    }
    check.checkClientDirectives()
    check.checkRenames()
    return check.report
  }

  private init(configuration: Configuration, schema: ServiceSchema) {
    self.configuration = configuration
    self.schema = schema
  }

  private func checkModule() {
    let namespace = configuration.namespace
    if !Configuration.isNamespace(namespace) {
      report.error(
        "InvalidNamespace",
        "The namespace \(quoted(namespace)) cannot be the name of a Swift enum.")
    }
    if case .files(let count) = configuration.layout,
      !Configuration.Layout.possibleFiles.contains(count)
    {
      report.error("InvalidLayout", "The number of files must be from 1 to 64.")
    }
    if configuration.classes == .open, configuration.access != .public {
      report.error(
        "OpenNeedsPublic", "Open classes are public: `classes` and `access` contradict each other.")
    }
  }

  private func checkClientDirectives() {
    for name in configuration.clientDirectives {
      if ClientDirectives.builtIn.contains(name.value) {
        report.error(
          "BuiltInDirective", "The directive \"@\(name.value)\" is for the service.",
          at: name.position)
      } else if schema.directive(named: name.value) == nil {
        report.error(
          "UnknownDirective", "There is no directive \"@\(name.value)\" in the schema.",
          at: name.position,
          suggestion: didYouMean(name.value, among: schema.directives.elements.map(\.name))
            ?? "Define it in a file of the schema: \"directive @\(name.value) on QUERY\".")
      }
    }
  }

  private func checkScalar(
    _ name: String, _ mapping: Located<ScalarMapping>, declared: Set<String>
  ) {
    let position = mapping.position
    if ServiceSchema.builtInTypes.contains(name: name) {
      report.error(
        "BuiltInScalar", "The built-in scalar `\(name)` cannot be mapped.", at: position)
    } else if case .scalar? = schema.types[name] {
    } else {
      let scalars = schema.types.elements.filter { $0.kind == .scalar }.map(\.name)
      report.error(
        "UnknownScalar", "There is no scalar \(quoted(name)) in the schema.",
        at: position, suggestion: didYouMean(name, among: scalars))
    }
    guard case .custom(let type, let module) = mapping.value else { return }
    if !Identifier.isPath(type) || module.map(Identifier.isModule) == false {
      report.error(
        "InvalidScalarType",
        "\(quoted(module ?? type)) is not the name of a Swift type or module.",
        at: position)
    } else if let first = mapping.value.firstName, declared.contains(first),
      mapping.value.qualifiedType(unlessHiddenBy: declared) == nil
    {
      let hiders =
        module == nil || module == first
        ? "a generated type of that name" : "generated types of its name and that of its module"
      report.error(
        "HiddenScalarType",
        "The type `\(type)` of the scalar `\(name)` is hidden by \(hiders).", at: position,
        suggestion: module == nil
          ? "Name its module with `import`, or give it another name."
          : "Give one of the generated types another name with `rename` or `namespace`.")
    }
  }

  private func checkType(_ name: String, _ policy: Located<TypePolicy>) {
    let position = policy.position
    if name == TypePolicy.others {
      checkOthers(policy)
      return
    }
    guard let type = schema.types[name] else {
      report.error(
        "UnknownType", "There is no type \(quoted(name)) in the schema.", at: position,
        suggestion: didYouMean(name, among: schema.types.elements.map(\.name)))
      return
    }
    guard case .object(let object) = type else {
      report.error(
        "NotAnObject", "`\(name)` is not an object type; only objects have keys and policies.",
        at: position)
      return
    }
    for field in policy.value.key ?? [] { checkField(field, of: object, use: "key", at: position) }
    if let version = policy.value.version {
      checkField(version, of: object, use: "version", at: position)
    }
    for field in policy.value.lists.keys.sorted() where object.fields[field]?.type.isList != true {
      report.error(
        "UnknownField", "The type `\(name)` has no list \(quoted(field)).", at: position,
        suggestion: didYouMean(
          field, among: object.fields.elements.filter(\.type.isList).map(\.name)))
    }
    for field in policy.value.delete.keys.sorted() where !leadsToObjects(field, of: object) {
      report.error(
        "UnknownField", "The type `\(name)` has no field \(quoted(field)) that leads to objects.",
        at: position,
        suggestion: didYouMean(
          field, among: object.fields.elements.map(\.name).filter { leadsToObjects($0, of: object) }
        ))
    }
    if let maxAge = policy.value.maxAge, maxAge < 0 {
      report.error("InvalidMaxAge", "The `maxAge` of `\(name)` is negative.", at: position)
    }
    for path in policy.value.queryable { checkPath(path, of: object, at: position) }
    for (field, inverse) in policy.value.inverses.sorted(by: { $0.key < $1.key }) {
      checkInverse(field, inverse, of: object, at: position)
    }
    for operation in policy.value.supportedOperations where !Identifier.isName(operation) {
      report.error(
        "InvalidOperation",
        "The operation \(quoted(operation)) of `\(name)` is not a name.", at: position)
    }
  }

  private func leadsToObjects(_ field: String, of object: ObjectType) -> Bool {
    guard let field = object.fields[field] else { return false }
    return switch schema.namedType(of: field.type) {
    case .object, .interface, .union: true
    default: false
    }
  }

  /// A policy for types that are not named cannot name fields.
  private func checkOthers(_ policy: Located<TypePolicy>) {
    let allowed = TypePolicy(policy: policy.value.policy, maxAge: policy.value.maxAge)
    guard policy.value != allowed else { return }
    report.error(
      "InvalidDefaultPolicy",
      "`*`, which applies to all other types, accepts only `policy` and `maxAge`.",
      at: policy.position)
  }

  /// A queryable field is one of the object, or of objects without a key that are part of it.
  private func checkPath(
    _ path: String, of object: ObjectType, at position: SourcePosition?
  ) {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var owner = object
    for name in names.dropLast() {
      guard let field = owner.fields[name], !field.type.isList, !field.requiresArguments,
        case .object(let next)? = schema.namedType(of: field.type)
      else {
        report.error(
          "UnsuitableField",
          "`\(object.name)` cannot be queried by \(quoted(path)): `\(owner.name)` has no field"
            + " \(quoted(name)) that leads to one object.", at: position)
        return
      }
      owner = next
    }
    checkField(names[names.count - 1], of: owner, use: "queryable fields", at: position)
  }

  /// An inverse is a field of the target objects, and leads back.
  private func checkInverse(
    _ field: String, _ inverse: String, of object: ObjectType, at position: SourcePosition?
  ) {
    guard let definition = object.fields[field],
      case .object(let target)? = schema.namedType(of: definition.type),
      let back = target.fields[inverse], schema.namedType(of: back.type)?.name == object.name
    else {
      report.error(
        "UnsuitableInverse",
        "`\(object.name).\(field)` has no inverse \(quoted(inverse)): both must be fields that lead"
          + " to objects of the other's type.", at: position)
      return
    }
  }

  /// Keys and versions are compared, so they are single leaf values that need no arguments.
  private func checkField(
    _ field: String, of object: ObjectType, use: String, at position: SourcePosition?
  ) {
    guard let definition = object.fields[field] else {
      report.error(
        "UnknownField",
        "The type `\(object.name)` has no field \(quoted(field)) for its \(use).",
        at: position,
        suggestion: didYouMean(field, among: object.fields.elements.map(\.name)))
      return
    }
    let isLeaf = schema.namedType(of: definition.type)?.isLeafType ?? false
    let isDenied = configuration.deny.contains {
      $0.value == ListedElement(type: object.name, field: field)
    }
    if !isLeaf || definition.type.isList || definition.requiresArguments || isDenied {
      report.error(
        "UnsuitableField",
        "`\(object.name).\(field)` cannot be part of the \(use): it must be a single scalar or enum"
          + " that needs no arguments and is not denied.",
        at: position)
    }
  }
}

extension Configuration {
  /// Names that generated code needs for other purposes.
  private static let unusableNamespaces: Set<String> = [
    "Swift", RuntimeSymbols.namespace, RuntimeSymbols.module, RuntimeSymbols.response,
    RuntimeSymbols.data, "Any", "Schema",
  ]

  static func isNamespace(_ name: String) -> Bool {
    Identifier.isName(name) && !SwiftKeywords.unusable.contains(name)
      && !SwiftKeywords.escaped.contains(name) && !unusableNamespaces.contains(name)
  }
}

extension ConfigurationCheck {
  func checkRenames() {
    for (coordinate, name) in configuration.rename.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      if !Identifier.isSwiftName(name.value) {
        report.error(
          "InvalidSwiftName", "\(quoted(name.value)) cannot be a name in Swift.",
          at: name.position)
      }
      if case .type(let type) = coordinate, case .scalar? = schema.types[type] {
        report.error(
          "RenamedScalar", "The scalar \(quoted(type)) has no type of its own in Swift.",
          at: name.position, suggestion: "Set its Swift type with `scalars`.")
      }
      if let (missing, others) = firstMissing(of: coordinate) {
        report.error(
          "UnknownElement", "There is no \(quoted(coordinate.description)) in the schema.",
          at: name.position,
          suggestion: didYouMean(missing.description, among: others.map(\.description)))
      }
    }
  }

  /// The part of a coordinate that the schema does not have, from its left, and the elements that
  /// it has instead; nil if the schema has an element with this coordinate.
  private func firstMissing(
    of coordinate: SchemaCoordinate
  ) -> (missing: SchemaCoordinate, others: [SchemaCoordinate])? {
    let (parent, names, wanted): (SchemaCoordinate?, [String]?, (String) -> SchemaCoordinate)
    switch coordinate {
    case .type:
      (parent, names, wanted) = (nil, schema.types.elements.map(\.name), { .type($0) })
    case .member(let type, _):
      parent = .type(type)
      names = schema.types[type]?.elementNames
      wanted = { .member(type: type, name: $0) }
    case .argument(let type, let field, _):
      parent = .member(type: type, name: field)
      names = schema.types[type]?.fields?[field]?.arguments.elements.map(\.name)
      wanted = { .argument(type: type, field: field, name: $0) }
    case .directive:
      (parent, names, wanted) = (nil, schema.directives.elements.map(\.name), { .directive($0) })
    case .directiveArgument(let directive, _):
      parent = .directive(directive)
      names = schema.directives[directive]?.arguments.elements.map(\.name)
      wanted = { .directiveArgument(directive: directive, name: $0) }
    }
    guard let names else { return parent.flatMap(firstMissing) ?? (coordinate, []) }
    let others = names.map(wanted)
    return others.contains(coordinate) ? nil : (coordinate, others)
  }
}

extension NamedType {
  /// The names of fields or enum values.
  fileprivate var elementNames: [String] {
    if case .enum(let type) = self { type.values.elements.map(\.name) } else { memberNames }
  }
}
