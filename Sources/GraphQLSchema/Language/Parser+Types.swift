extension Parser {
  /// Section 2.12 Type. Lists are counted and then wrapped in a loop, without recursion.
  mutating func parseType() throws(SyntaxError) -> (type: TypeReference, range: SourceRange) {
    let start = token.start
    let outerDepth = depth
    var lists = 0
    while token.kind == .bracketLeft {
      try enter()
      try open(.bracketLeft)
      lists += 1
    }
    var type = TypeReference.named(try parseName("a type").name)
    if try skip(.bang) { type = .nonNull(type) }
    while lists > 0 {
      guard try close(.bracketRight) else { throw unexpected(expected: "\"]\"") }
      lists -= 1
      type = .list(type)
      if try skip(.bang) { type = .nonNull(type) }
    }
    depth = outerDepth
    return (type, range(from: start))
  }

  /// A type by its bare name (section 2.12 NamedType).
  mutating func parseTypeName() throws(SyntaxError) -> TypeName {
    let (name, range) = try parseName("a type's name")
    return TypeName(name, range: range)
  }
}
