/// What every schema has without defining it.
enum BuiltIn {
  static let types = NamedList<NamedType>(
    ["Int", "Float", "String", "Boolean", "ID"].map { .scalar(ScalarType(name: $0)) })
  static let directives = NamedList<DirectiveDefinition>([])
}
