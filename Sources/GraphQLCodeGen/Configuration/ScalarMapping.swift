/// The Swift type of a custom scalar.
///
/// In the configuration, either the name of a predefined type (`"DateTime"`) or a type of your own
/// that conforms to `GraphQL.Scalar`: `{ "type": "Money", "import": "MoneyKit" }`, where `import`
/// is the module to import, if it is another one.
public enum ScalarMapping: Sendable, Equatable {
  case ready(ReadyScalar)
  /// A path of identifiers, and the module that declares it.
  case custom(type: String, module: String?)
}

/// The predefined types of the runtime for scalars.
///
/// A scalar with one of the names `DateTime`, `Date`, `URL`, `URI`, `Decimal`, `JSON`, `BigInt` or
/// `Upload` needs no configuration. A scalar without a mapping keeps any JSON value.
public enum ReadyScalar: String, Sendable, CaseIterable {
  case string = "String"
  case int = "Int"
  case double = "Double"
  case bool = "Bool"
  case id = "ID"
  case dateTime = "DateTime"
  case date = "Date"
  case url = "URL"
  case decimal = "Decimal"
  case json = "JSON"
  case bigInt = "BigInt"
  /// A file in arguments and input objects. In results, it keeps any JSON value.
  case upload = "Upload"

  /// The default mapping for a scalar's name.
  static func byName(_ scalar: String) -> ReadyScalar? {
    switch scalar {
    case "DateTime": .dateTime
    case "Date": .date
    case "URL", "URI": .url
    case "Decimal": .decimal
    case "JSON": .json
    case "BigInt": .bigInt
    case "Upload": .upload
    default: nil
    }
  }

  /// The built-in scalar with the same Swift type (section 3.5), which needs no conversion.
  var builtInScalar: String? {
    switch self {
    case .string: "String"
    case .int: "Int"
    case .double: "Float"
    case .bool: "Boolean"
    case .id: "ID"
    default: nil
    }
  }

  /// The type in generated code; a standard type if `standard` is true.
  var type: (name: String, isStandard: Bool) {
    switch self {
    case .string: ("String", true)
    case .int: ("Int", true)
    case .double: ("Double", true)
    case .bool: ("Bool", true)
    case .id: (RuntimeSymbols.id, false)
    case .dateTime: (RuntimeSymbols.dateTime, false)
    case .date: (RuntimeSymbols.localDate, false)
    case .url: (RuntimeSymbols.url, false)
    case .decimal: (RuntimeSymbols.decimal, false)
    case .json: (RuntimeSymbols.json, false)
    case .bigInt: (RuntimeSymbols.bigInt, false)
    case .upload: (RuntimeSymbols.upload, false)
    }
  }
}

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
