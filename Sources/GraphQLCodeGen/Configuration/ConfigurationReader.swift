import GraphJSON
public import GraphQLSchema

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
