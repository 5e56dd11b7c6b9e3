/// The form of a use of a generated member.
enum SwiftUse: Hashable {
  /// The name of a type, method, property or enum case.
  case word(String)
  /// An argument by its label, in a call of that name.
  case label(String, call: String)
}
