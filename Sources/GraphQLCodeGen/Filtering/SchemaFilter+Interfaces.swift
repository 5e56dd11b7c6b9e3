import GraphQLSchema

extension SchemaFilter {
  /// Ensures that types have all the fields of their interfaces (section 3.6).
  ///
  /// A field that was removed with its type is also removed from the interface. A field that a list
  /// names is an error, since only the author of the list can decide to remove it from the
  /// interface as well.
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
    let message = "`\(type).\(field)` is left out, but `\(interface).\(field)` declares it."
    let coordinate = ListedElement(type: type, field: field)
    if let entry = configuration.deny.first(where: { $0.value == coordinate }) {
      report.error(
        "PromisedFieldDenied", message, at: entry.position,
        suggestion: "Deny `\(interface).\(field)` too.")
    } else {
      report.note("FieldDropped", message + " Both are left out.")
    }
    types[interface] = types[interface]?.keepingFields { $0 != field }
  }
}
