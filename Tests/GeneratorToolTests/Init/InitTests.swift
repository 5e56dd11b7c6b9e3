import Foundation
import GraphQLPrinting
import GraphQLSchema
import Loopback
import TestSupport
import Testing

@testable import graphql_generator

@Suite("init", .serialized)
struct InitTests {
  static let secret = "s3cr3t-t0k3n"
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func introspection() throws -> String {
    String(
      decoding: try ServiceSchema(sdl: smallSchema).introspectionResult(), as: UTF8.self)
  }

  /// Runs the subcommand for the folder `shop`.
  private func initialize(_ options: String..., in name: String = "shop") -> ToolRun {
    let run = ToolRun(
      ["init", "--output", folder.path(name), "--package-path", RepositorySchemas.root] + options)
    #expect(!run.output.contains(Self.secret) && !run.error.contains(Self.secret))
    return run
  }

  @Test func createsPackageForService() throws {
    let result = try introspection()
    let server = try TestServer { _ in TestServer.response(result) }
    defer { withExtendedLifetime(server) {} }
    let run = initialize("--endpoint", server.url, "--header", "Authorization: \(Self.secret)")
    #expect(run.status == .success, "\(run.error)")
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == Self.secret })
    let files = [
      ".gitignore", "Package.swift", "Sources/Shop/main.swift", "Sources/ShopAPI/ShopAPI.swift",
      "Sources/ShopAPI/graphql-generator.json", "Sources/ShopAPI/schema.json",
    ]
    let shop = folder.path("shop")
    #expect(
      run.output == """
        \(files.map { "wrote: \(shop)/\($0)" }.joined(separator: "\n"))
        6 files, for a schema with 3 types

        The program requests genres. Build and run it:

          GRAPHQL_AUTHORIZATION=… swift run --package-path \(shop) Shop

        """)
    #expect(folder.names(in: "shop") == [".gitignore", "Package.swift", "Sources"])
    #expect(try folder.text("shop/.gitignore") == ".build\n")
    #expect(folder.names(in: "shop/Sources") == ["Shop", "ShopAPI"])
    #expect(try folder.text("shop/Sources/ShopAPI/schema.json") == result + "\n")
    for file in files { #expect(try !folder.text("shop/\(file)").contains(Self.secret)) }
    #expect(
      try folder.text("shop/Sources/Shop/main.swift").contains("URL(string: \"\(server.url)\")!"))
    // The tool itself reads what it has written.
    let module = folder.path("shop/Sources/ShopAPI")
    #expect(
      ToolRun(
        "generate", "--config", "\(module)/graphql-generator.json", "--schema",
        "\(module)/schema.json", "--output", folder.path("Generated")
      ).status == .success)
  }

  @Test func schemaFilesAreCopied() throws {
    let commented = "# A comment.\ntype Query { a: B } type B { c: Int }\n"
    let sdl = try folder.write(commented, to: "a.graphql")
    let extended = try folder.write("extend type Query { d: Int }\n", to: "b.graphqls")
    #expect(initialize("--schema", sdl, in: "one").status == .success)
    #expect(try folder.text("one/Sources/OneAPI/schema.graphqls") == commented)
    #expect(try folder.text("one/Sources/OneAPI/OneAPI.swift").contains("schema.graphqls"))
    #expect(initialize("--schema", sdl, extended, in: "two").status == .success)
    let merged = try folder.text("two/Sources/TwoAPI/schema.graphqls")
    #expect(merged.contains("d: Int") && !merged.contains("extend"))
    let json = try folder.write(introspection(), to: "c.json")
    #expect(initialize("--schema", json, in: "three").status == .success)
    #expect(try folder.text("three/Sources/ThreeAPI/schema.json") == introspection())
  }

  /// An address may contain what ends a literal, or is code in one.
  @Test func escapesEndpointAddressInProgram() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let address = #"https://a.test/"\(exit(1))"#
    #expect(initialize("--schema", schema, "--endpoint", address).status == .success)
    #expect(
      try folder.text("shop/Sources/Shop/main.swift")
        .contains(#"URL(string: "https://a.test/\"\\(exit(1))")!"#))
  }

  @Test func aDryRunWritesNothing() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let run = initialize("--schema", schema, "--dry-run", in: "new/shop")
    #expect(run.status == .success)
    #expect(run.output.contains("write: \(folder.path("new/shop"))/Package.swift\n"))
    #expect(run.output.contains("(dry run, nothing was done)\n"))
    #expect(!folder.exists("new"))
  }

  @Test func createsMissingFolders() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    #expect(initialize("--schema", schema, in: "new/my-shop/").status == .success)
    #expect(folder.names(in: "new/my-shop/Sources") == ["MyShop", "MyShopAPI"])
  }

  /// Even a link that leads nowhere is the user's.
  @Test(arguments: [false, true])
  func keepsExistingGitignore(isLink: Bool) throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let path = try folder.write("mine\n", to: "shop/.gitignore")
    if isLink {
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "none")
    }
    let run = initialize("--schema", schema)
    #expect(run.status == .success, "\(run.error)")
    #expect(!run.output.contains(".gitignore"))
    #expect(folder.names(in: "shop") == [".gitignore", "Package.swift", "Sources"])
    if isLink {
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "none")
    } else {
      #expect(try folder.text("shop/.gitignore") == "mine\n")
    }
  }

  @Test(arguments: [
    "Sources/Shop/App.swift", "Sources/Shop", "Sources/ShopAPI/schema.json", "Sources",
    "Sources/ShopAPI/.hidden",
  ])
  func doesNotReplaceExistingFiles(path: String) throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    try folder.write("mine", to: "shop/\(path)")
    let before = folder.names(in: "shop/Sources")
    let run = initialize("--schema", schema)
    #expect(run.status == .problems)
    #expect(run.output.isEmpty)
    #expect(run.error.hasPrefix("error: \(folder.path("shop"))/\(path): "), "\(run.error)")
    #expect(try folder.text("shop/\(path)") == "mine")
    #expect(folder.names(in: "shop") == ["Sources"])
    #expect(folder.names(in: "shop/Sources") == before)
  }

  @Test func secondRunFailsWithoutChanges() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    #expect(initialize("--schema", schema).status == .success)
    let stamp = try folder.stamp("shop/Sources/ShopAPI/schema.graphqls")
    let run = initialize("--schema", schema)
    #expect(run.status == .problems)
    #expect(
      run.error.contains("Sources/ShopAPI/ShopAPI.swift: This path already exists"))
    #expect(run.error.contains("Choose another --name or --output"))
    #expect(run.error.contains("use download-schema"))
    #expect(try folder.stamp("shop/Sources/ShopAPI/schema.graphqls") == stamp)
    // The package is there now, so it gets a second target.
    #expect(initialize("--schema", schema, "--name", "Other").status == .success)
    #expect(folder.names(in: "shop/Sources") == ["OtherAPI", "Shop", "ShopAPI"])
  }

  /// One file may import several generated modules.
  @Test(arguments: [
    ("Sources/OtherAPI/graphql-generator.json", "{}", "Shop"),
    ("graphql-generator.json", #"{ "namespace": "API" }"#, "Shop"),
    ("Sources/OtherAPI/graphql-generator.json", #"{ "namespace": "Other" }"#, "API"),
    ("Sources/OtherAPI/graphql-generator.json", "{", "API"),
  ])
  func choosesUnusedNamespace(path: String, other: String, namespace: String) throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    try folder.write("", to: "shop/Package.swift")
    try folder.write(other, to: "shop/\(path)")
    let run = initialize("--schema", schema)
    #expect(run.status == .success)
    #expect(run.output.contains("let query = \(namespace).buildQuery {"))
    #expect(
      try folder.text("shop/Sources/ShopAPI/graphql-generator.json")
        .contains(#""namespace": "\#(namespace)""#))
  }

  @Test(arguments: [
    (TestServer.response("{}", status: "401 Unauthorized"), "Specify a token with --header."),
    (TestServer.response("<html>", type: "text/html"), "a web page (HTML)"),
    (
      TestServer.response(#"{"data":{"__schema":{"types":[{"kind":"OBJECT","name":"A"}]}}}"#),
      "error: "
    ),
    (TestServer.response(#"{"errors":[{"message":"no \#(secret)"}]}"#), "no ***"),
  ])
  func serviceErrorCreatesNoFiles(response: String, message: String) throws {
    let server = try TestServer { _ in response }
    defer { withExtendedLifetime(server) {} }
    let run = initialize(
      "--endpoint", server.url + "?key=\(Self.secret)", "--header", "A: \(Self.secret)")
    #expect(run.status == .problems)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(!folder.exists("shop"))
  }

  @Test func failedConnectionCreatesNoFiles() throws {
    let port = try ClosedPort()
    defer { withExtendedLifetime(port) {} }
    let run = initialize("--endpoint", port.url.absoluteString)
    #expect(run.status == .problems)
    #expect(run.error.contains("The connection failed: "))
    #expect(!folder.exists("shop"))
  }

  @Test func invalidSchemaCreatesNoFiles() throws {
    let schema = try folder.write("type Query { a: Nowhere }\n", to: "schema.graphqls")
    let run = initialize("--schema", schema)
    #expect(run.status == .problems)
    #expect(run.error.hasPrefix("\(schema):1:17: error: "))
    #expect(!folder.exists("shop"))
    // A valid schema for which no module can be generated.
    try folder.write("type Query { a: __Type }\n", to: "schema.graphqls")
    #expect(initialize("--schema", schema).error.contains("No code can be generated"))
    #expect(!folder.exists("shop"))
    #expect(initialize("--schema", folder.path("none")).error.contains("There is no such file."))
  }

  @Test func rejectsFileAsOutputFolder() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let run = initialize("--schema", schema, in: "schema.graphqls")
    #expect(run.status == .problems)
    #expect(run.error.contains("This is a file where a folder is needed."))
  }

  @Test func rejectsPackagePathWithoutPackage() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let run = ToolRun(
      "init", "--schema", schema, "--output", folder.path("shop"), "--package-path", folder.path)
    #expect(run.status == .problems)
    #expect(run.error.contains("\(folder.path): There is no package in this folder."))
    #expect(run.error.contains("--package-path"))
    #expect(!folder.exists("shop"))
  }

  /// The folder in which a new user is after trying the examples.
  @Test func rejectsFolderOfTreeswiftAsOutput() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    try folder.write("", to: "clone/Package.swift")
    let clone = folder.path("clone")
    let run = ToolRun("init", "--schema", schema, "--output", clone + "/.", "--package-path", clone)
    #expect(run.status == .problems)
    #expect(run.error.contains("This is the folder of Treeswift itself."))
    #expect(run.error.contains("specify one with --output"))
    #expect(folder.names(in: "clone") == ["Package.swift"])
  }

  /// Permissions do not stop the superuser.
  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func unwritableFolderStaysUnchanged() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    try folder.write("", to: "shop/file")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o500], ofItemAtPath: folder.path("shop"))
    let run = initialize("--schema", schema)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: folder.path("shop"))
    #expect(run.status == .problems)
    #expect(run.error.contains("It cannot be written: permission denied."))
    #expect(folder.names(in: "shop") == ["file"])
  }

  @Test(arguments: [
    ([], "--endpoint URL or --schema FILE is required."),
    (["http://a.test"], "Specify the URL of the service with --endpoint."),
    (
      ["--endpoint", "localhost:4000/graphql"],
      "The endpoint is not an http or https URL. Begin it with https:// or http://."
    ),
    (
      ["--endpoint", "http://a.test", "--header", "A"], "A header must have the form 'Name: value'"
    ),
    (["--endpoint", "http://a.test", secret], "put it in quotes"),
    (["--schema", "a", "--name", "my-shop"], "is not the name of a Swift module"),
    (["--schema", "a", "--name", "class"], "is not the name of a Swift module"),
    (["--schema", "a", "--name", "Awkward"], "a second module or type AwkwardAPI"),
    (
      ["--schema", "a", "--package-path", "a", "--package-url", "b"],
      "--package-path and --package-url cannot be used together."
    ),
    (["--schema", "a", "--package-url", "a b"], "A URL cannot contain spaces"),
  ])
  func reportsInvalidArguments(arguments: [String], message: String) {
    let run = ToolRun(["init"] + arguments)
    #expect(run.status == .usage)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(run.error.contains("See `graphql-generator init --help`."))
    #expect(!run.error.contains(Self.secret))
  }
}
