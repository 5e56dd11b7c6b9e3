/// Whether two fields have the same arguments with the same values, in any order (section 5.3.2).
func haveSameArguments(_ first: [Document.Argument], _ second: [Document.Argument]) -> Bool {
  haveSameEntries(first.map { ($0.name, $0.value) }, second.map { ($0.name, $0.value) })
}

/// Whether two values are equal apart from the order of input fields, which has no meaning (section
/// 2.10.8).
private func areSame(_ first: Document.Value, _ second: Document.Value) -> Bool {
  switch (first.kind, second.kind) {
  case (.list(let first), .list(let second)):
    first.count == second.count && zip(first, second).allSatisfy(areSame)
  case (.object(let first), .object(let second)):
    haveSameEntries(first.map { ($0.name, $0.value) }, second.map { ($0.name, $0.value) })
  default: first == second
  }
}

private func haveSameEntries(
  _ first: [(name: String, value: Document.Value)],
  _ second: [(name: String, value: Document.Value)]
) -> Bool {
  guard first.count == second.count else { return false }
  let first = first.sorted { $0.name < $1.name }
  let second = second.sorted { $0.name < $1.name }
  return zip(first, second).allSatisfy { $0.name == $1.name && areSame($0.value, $1.value) }
}
