import Foundation
import PackagePlugin

extension Package {
  /// Whether another target depends on a target, or other packages can.
  func isUsed(_ target: any Target) -> Bool {
    let dependents = targets.filter { $0.id != target.id }
    return dependents.contains { $0.recursiveTargetDependencies.contains { $0.id == target.id } }
      || products.contains { product in
        product is LibraryProduct && product.targets.contains { $0.id == target.id }
      }
  }
}

extension DocumentModule {
  /// - Parameter package: the package of the build, whose dependencies have further targets; nil in
  ///   Xcode projects, whose plugins do not see the packages.
  init(_ target: any Target, in package: Package?) {
    let sources = target as? any SourceModuleTarget
    id = target.id
    name = sources?.moduleName ?? target.name
    folder = target.directoryURL
    files = sources?.sourceFiles.map(\.url) ?? []
    schema = {
      let command = package.flatMap { Self.commandFolder(of: target, in: $0) }
      return Self.schema(in: [target.directoryURL] + (command.map { [$0] } ?? []))
    }
    dependencies = {
      target.dependencies.flatMap { dependency -> [any Target] in
        switch dependency {
        case .target(let target): [target]
        case .product(let product): product.targets
        @unknown default: []
        }
      }
      .map { DocumentModule($0, in: package) }
    }
  }

  /// The package's folder if `swift package generate` writes the module, from files in that folder into
  /// a folder that the configuration names, by default `Generated`.
  private static func commandFolder(of target: any Target, in package: Package) -> URL? {
    guard let owner = owner(of: target, in: package) else { return nil }
    guard let configuration = try? ConfigurationFile(in: owner.directoryURL) else { return nil }
    let output = configuration.output.standardizedFileURL.path
    let isWritten = output == target.directoryURL.standardizedFileURL.path
    return isWritten ? owner.directoryURL : nil
  }

  private static func owner(of target: any Target, in package: Package) -> Package? {
    var known: Set = [package.id]
    var packages = [package]
    while let package = packages.popLast() {
      if package.targets.contains(where: { $0.id == target.id }) { return package }
      packages += package.dependencies.map(\.package).filter { known.insert($0.id).inserted }
    }
    return nil
  }
}
