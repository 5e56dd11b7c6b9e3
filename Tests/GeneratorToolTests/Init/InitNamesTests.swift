import Foundation
import GraphQLSchema
import TestSupport
import Testing

@testable import graphql_generator

@Suite("Names and dependencies of a new package")
struct InitNamesTests {
  @Test(arguments: [
    (["shop", "other"], "Shop"), (["my-shop_2"], "MyShop2"), (["ShopAPI"], "Shop"),
    (["shop-api"], "Shop"), (["api", "github"], "Github"), (["2fast", "x"], "X"),
    (["日本", "127.0.0.1"], "Service"), (["Storefront", "GraphClient", "swift"], "Service"),
    (["foundation", "Graph", "MAIN", "a"], "A"), ([], "Service"), (["Self"], "Service"),
  ])
  func derivesModuleNameFromFirstUsableText(texts: [String], name: String) {
    #expect(ModuleName.made(from: texts) == name)
  }

  @Test(arguments: [
    ("https://api.github.com/graphql", "github"), ("http://localhost:4000/graphql", "localhost"),
    ("https://www.shop.example/", "shop"), ("https://graphql.api", "graphql.api"),
    ("http://[::1]:80/a", "["),
  ])
  func derivesServiceNameFromHost(address: String, service: String) throws {
    #expect(try #require(Endpoint(address)).service == service)
  }

  /// Two targets of a program cannot have the same name.
  @Test func rejectsNamesOfTreeswiftTargets() throws {
    let manifest = try String(
      contentsOfFile: RepositorySchemas.root + "/Package.swift", encoding: .utf8)
    // A name with a hyphen is not that of a module, and tests are not built for other packages.
    let declaration =
      #/\.(?:library|plugin|target|executableTarget|systemLibrary)\(\s*name: "(\w+)"/#
    let names = manifest.matches(of: declaration).map { String($0.output.1) }
    #expect(names.contains("CCurl") && names.contains("GraphOutbox"))
    for name in names {
      #expect(
        ModuleName.problem(with: name) != nil, "add \(name) to ModuleName.treeswift")
    }
  }

  @Test(arguments: [
    ("/work/Treeswift", #".package(path: "../Treeswift")"#),
    ("/work/clones/treeswift", #".package(path: "../clones/treeswift")"#),
    ("/work/fork", #".package(name: "Treeswift", path: "../fork")"#),
    ("/work", #".package(name: "Treeswift", path: "..")"#),
    ("/other/Treeswift", #".package(path: "/other/Treeswift")"#),
    (#"/work/a"b\"#, #".package(name: "Treeswift", path: "../a\"b\\")"#),
  ])
  func declaresFolderDependencyByRelativePath(folder: String, declaration: String) {
    let dependency = Dependency(
      folder: folder, from: "/work/shop")
    #expect(dependency.declaration == declaration)
    #expect(dependency.package == "Treeswift")
  }

  @Test(arguments: [
    ("https://git.test/x/Treeswift.git", "Treeswift"), ("https://git.test/treeswift", "Treeswift"),
    ("git@git.test:fork.git", "fork"), ("file:///work/a/", "a"),
  ])
  func derivesPackageNameFromLastURLComponent(url: String, package: String) {
    let dependency = Dependency(url: url)
    #expect(dependency.declaration == #".package(url: "\#(url)", branch: "main")"#)
    #expect(dependency.package == package)
  }

  @Test func resolvesRelativePathsAndSymbolicLinks() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "real/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("real"))
    let files = FileAccess()
    let real = files.absolute(folder.path)
    #expect(files.absolute(folder.path("link/new/../other/")) == "\(real)/real/other")
    try folder.write("", to: "real/deep/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("deep"), withDestinationPath: folder.path("real/deep"))
    #expect(files.absolute(folder.path("deep/../none")) == "\(real)/real/none")
    #expect(files.absolute(".") == FileManager.default.currentDirectoryPath)
    #expect(
      files.absolute("none/new")
        == FileManager.default.currentDirectoryPath + "/none/new")
    #expect(files.absolute("/none/new") == "/none/new")
  }

  /// The tool of this build finds the checkout in whose `.build` it is.
  @Test(.enabled(if: Self.isBuiltInCheckout, "the build is outside of the checkout"))
  func usesCheckoutOfToolAsDependency() throws {
    let folder = try TemporaryFolder()
    try folder.write(smallSchema, to: "schema.graphqls")
    let result = try Self.tool.run(
      ["init", "--schema", "schema.graphqls", "--name", "Shop"], in: folder.url)
    #expect(result.status == 0, "\(result.error)")
    let checkout = FileAccess().absolute(RepositorySchemas.root)
    let declaration = Dependency(folder: checkout, from: FileAccess().absolute(folder.path))
      .declaration
    #expect(try folder.text("Package.swift").contains(declaration))
    #expect(result.output.hasSuffix("  swift run Shop\n"))
  }

  @Test func requiresDependencyOptionOutsideCheckout() throws {
    let folder = try TemporaryFolder()
    let copy = folder.path("graphql-generator")
    // Another process writes the copy: a program that this one has open for writing when another test starts
    // a process cannot be run.
    let copying = try ChildProcess(URL(filePath: "/bin/cp"), [Self.tool.url.path, copy])
    #expect(copying.wait() == .exit(0))
    try folder.write(smallSchema, to: "schema.graphqls")
    let process = try ChildProcess(
      URL(filePath: copy), ["init", "--schema", "schema.graphqls"], in: folder.url,
      output: .pipe, error: nil)
    let (end, output) = process.collect()
    #expect(end == .exit(1))
    #expect(output.contains("This tool was not built in a checkout of Treeswift."))
    #expect(output.contains("--package-path"))
    #expect(folder.names(in: ".") == ["graphql-generator", "schema.graphqls"])
  }

  private static let tool = BuiltTool("graphql-generator")
  private static var isBuiltInCheckout: Bool {
    let checkout = FileAccess().absolute(RepositorySchemas.root)
    return FileAccess().absolute(tool.url.path).hasPrefix("\(checkout)/")
  }
}
