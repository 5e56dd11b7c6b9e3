import GraphQLSchema

extension SchemaFilter {
  /// Sees to it that types have all the fields that their interfaces promise (section 3.6).
  ///
  /// A field that went with its type goes from the interface too; one that a list names is an
  /// error, since taking it from the interface as well is a decision for whoever wrote the list.
  mutating func checkInterfaces() {
    var isChanged = true
    while isChanged {
      isChanged = false
      for name in sortedNames {
        guard let type = types[name], let fields = type.fields, let interfaces = type.interfaces
        else { continue }
        for interface in interfaces.elements {
          for promised in types[interface.name]?.fields?.elements ?? []
          where !fields.contains(name: promised.name) {
            dropPromise(promised.name, of: interface.name, brokenBy: name)
            isChanged = true
          }
        }
      }
      if isChanged { removeDependents() }
    }
  }

  private mutating func dropPromise(_ field: String, of interface: String, brokenBy type: String) {
    let message = "`\(type).\(field)` is left out, but `\(interface).\(field)` promises it."
    let coordinate = ListedElement(type: type, field: field)
    if let entry = configuration.deny.first(where: { $0.value == coordinate }) {
      report.error(
        "PromisedFieldDenied", message, at: entry.location,
        suggestion: "Deny `\(interface).\(field)` too.")
    } else {
      report.note("FieldDropped", message + " Both are left out.")
    }
    types[interface] = types[interface]?.keepingFields { $0 != field }
  }
}
