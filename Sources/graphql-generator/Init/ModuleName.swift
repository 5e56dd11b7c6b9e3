import GraphQLCodeGen
import GraphQLSchema

/// The name of a new package and its program. The module of the schema has the same name and `API`.
enum ModuleName {
  static let suffix = "API"

  /// A name made from one of several texts: the first that gives a usable one.
  ///
  /// Words begin with capital letters; everything but the letters and digits of ASCII separates words.
  static func made(from texts: [String]) -> String {
    for text in texts {
      var name = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      // The folder `shop-api` is for the module ShopAPI.
      if name.lowercased().hasSuffix("api"), name.utf8.count > suffix.utf8.count {
        name.removeLast(suffix.utf8.count)
      }
      if problem(with: name) == nil { return name }
    }
    return fallback
  }

  /// If neither the folder nor the host has a usable name.
  private static let fallback = "Service"

  /// Why a name is not usable; nil if it is.
  static func problem(with name: String) -> String? {
    guard Identifier.isModule(name) else {
      return
        "\(quoted(name)) is not the name of a Swift module: use letters, digits and underscores, "
        + "without a digit at the start, and not a keyword of Swift."
    }
    for module in [name, name + suffix] where taken.contains(module.lowercased()) {
      return
        "The name \(quoted(name)) would result in a second module or type \(module): Treeswift, "
        + "Swift or the generated code already has one."
    }
    return nil
  }

  /// Names of modules and of types that a program names without their module, in lower case, since
  /// some file systems ignore the case.
  private static let taken = Set((treeswift + swift + types).map { $0.lowercased() })

  /// The package itself and its targets, whose names no other target of a program may have.
  static let treeswift = [
    "Treeswift", "GraphJSON", "GraphQLSchema", "GraphQLExecution", "GraphQLComparison",
    "GraphQLCodeGen", "GraphQLRuntime", "GraphClient", "GraphTesting", "GraphStorage", "GraphStore",
    "GraphOutbox", "GraphTelemetry", "GraphValkey", "GraphCompatibility",
    "GraphCompatibilityTesting",
    "GraphQLGenerator", "GraphQLGenerateCommand", "StorefrontAPI", "storefront",
    "CTreeswiftAtomics", "CCurl", "CCurlEasy", "CHiredis", "CSQLite", "TestSupport", "Loopback",
    "ServerBehavior",
    "AwkwardAPI", "VersionedAPI",
  ]

  /// Modules of the toolchain and the system, and names that the compiler reserves.
  private static let swift = [
    "Swift", "main", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML", "Dispatch", "Synchronization", "Observation",
    "RegexBuilder", "Distributed", "Cxx", "Testing", "XCTest", "Glibc", "Musl", "Darwin",
    "SQLite3", "PackageDescription", "PackagePlugin",
  ]

  private static let types = ["API", "Graph", "GraphQL", "URL", "ProcessInfo"]
}
