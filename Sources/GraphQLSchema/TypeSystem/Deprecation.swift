/// The default reason of `@deprecated` (section 3.13.3).
public let defaultDeprecationReason = "No longer supported"

extension [Document.Directive] {
  /// The first application of a directive.
  public subscript(name: String) -> Document.Directive? {
    isEmpty ? nil : first { $0.name == name }
  }

  /// The reason of `@deprecated`; nil if it is not applied (section 3.13.3).
  var deprecationReason: String? {
    guard let directive = self["deprecated"] else { return nil }
    if case .string(let reason)? = directive.argument("reason")?.kind { return reason }
    return defaultDeprecationReason
  }
}
