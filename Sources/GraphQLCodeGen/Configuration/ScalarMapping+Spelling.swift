/// How generated code spells custom types. These functions return nil for predefined types.
extension ScalarMapping {
  /// In the code of the schema: with its module only if a type that is declared there hides it.
  ///
  /// - Parameter declared: the names that the code of the schema declares.
  func typeInSchema(declared: Set<String>) -> String? {
    guard case .custom(let path, _) = self, let firstName else { return nil }
    return declared.contains(firstName) ? qualifiedType(unlessHiddenBy: declared) ?? path : path
  }

  /// In the code of documents: with its module, since types of documents may have its name.
  ///
  /// - Parameter namespace: that of the schema, which is the only type of the schema that may hide the module there.
  func typeInDocuments(namespace: String) -> String? {
    guard case .custom(let path, _) = self else { return nil }
    return qualifiedType(unlessHiddenBy: [namespace]) ?? path
  }

  /// The first name in the path of a custom type, which another declaration can hide.
  var firstName: String? {
    guard case .custom(let path, _) = self else { return nil }
    return String(path.prefix { $0 != "." })
  }

  /// A custom type with its module; nil if the module is not known, or is itself hidden by the type or by one of
  /// the names.
  func qualifiedType(unlessHiddenBy names: Set<String>) -> String? {
    guard case .custom(let path, let module?) = self, firstName != module, !names.contains(module)
    else { return nil }
    return module + "." + path
  }
}
