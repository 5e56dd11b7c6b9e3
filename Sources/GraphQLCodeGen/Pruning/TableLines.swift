/// The schema table as lines: those of types start with a mark, those of fields with a name.
enum TableLines {
  /// Key and version fields, as `Type.field`.
  static func storeFields(_ lines: [String]) -> Set<String> {
    var fields: Set<String> = []
    for line in lines where line.hasPrefix("@") {
      let words = line.dropFirst().split(separator: " ")
      for word in words.dropFirst() {
        for attribute in ["key:", "version:"] where word.hasPrefix(attribute) {
          for field in word.dropFirst(attribute.count).split(separator: ",") {
            fields.insert("\(words[0]).\(field)")
          }
        }
      }
    }
    return fields
  }

  /// The lines of the elements that a pruned plan still has.
  static func pruned(_ lines: [String], to plan: GenerationPlan) -> [String] {
    var fields: [String: Set<String>] = [:]
    for composite in plan.composites {
      fields[composite.schemaName] = Set(composite.fields.map(\.schemaName))
    }
    for input in plan.inputs {
      fields[input.schemaName] = Set(input.fields.map(\.argument.schemaName))
    }
    for oneOf in plan.oneOfs { fields[oneOf.schemaName] = Set(oneOf.cases.map(\.schemaName)) }
    for type in plan.enums { fields[type.schemaName] = [] }
    let directives = Set(plan.directives.map(\.schemaName))
    let scalars = Set(lines.filter { $0.hasPrefix("$") }.map { name(of: $0) })

    var result: [String] = []
    var current: Set<String>?
    for line in lines {
      switch line.first {
      case ">": result.append(roots(line, plan))
      case "%": if directives.contains(name(of: line)) { result.append(line) }
      case "$": if scalars.contains(name(of: line)) { result.append(line) }
      case "@", "&", "|", "=", "<":
        current = fields[name(of: line)]
        if current != nil { result.append(line) }
      default: if current?.contains(name(of: line)) == true { result.append(line) }
      }
    }
    return result
  }

  /// The remaining roots, with a dash for the others.
  private static func roots(_ line: String, _ plan: GenerationPlan) -> String {
    let names = line.dropFirst().split(separator: " ")
    let kept = zip(RootPlan.Operation.allCases, names).map { operation, name in
      plan.roots.contains { $0.operation == operation } ? String(name) : "-"
    }
    return ">" + kept.joined(separator: " ")
  }

  /// The name at the start of a line, after its mark.
  private static func name(of line: String) -> String {
    let text = line.drop { "@&|=<!$%".contains($0) }
    return String(text.prefix { $0 != " " && $0 != "(" })
  }
}
