import PackagePlugin

extension Usage {
  /// Throws if a folder does not exist, or if a target uses the module and its sources are not read:
  /// members that only they name would be missing.
  func check(consumersOf module: any Target, in package: Package) throws {
    guard !folders.isEmpty else { return }
    try checkFolders()
    let unlisted = package.targets.filter { target in
      target.id != module.id && target.recursiveTargetDependencies.contains { $0.id == module.id }
        && !covers(target.directoryURL)
    }
    guard unlisted.isEmpty else {
      let consumers = unlisted.sorted { $0.name < $1.name }
      throw UnlistedConsumers(
        module: module.name, consumers: consumers.map(\.name),
        pruning: pruning(with: consumers.map { path(to: $0.directoryURL) }))
    }
    let open = package.products.filter { product in
      product is LibraryProduct && product.targets.contains { $0.id == module.id }
        && !products.contains(product.name)
    }
    guard open.isEmpty else {
      throw OtherPackages(
        module: module.name, products: open.map(\.name),
        pruning: pruning(with: ["…"], open.map(\.name)))
    }
  }
}

/// A target uses a pruned module and is not listed.
private struct UnlistedConsumers: Error, CustomStringConvertible {
  let module: String
  let consumers: [String]
  let pruning: String

  var description: String {
    """
    \(module) is pruned by usage, but \(consumers.joined(separator: ", ")) may use it and is not \
    listed. Write \(pruning), or set "pruning": "all".
    """
  }
}

/// A pruned module is available to other packages, and the configuration does not state that their
/// sources are listed.
private struct OtherPackages: Error, CustomStringConvertible {
  let module: String
  let products: [String]
  let pruning: String

  var description: String {
    """
    \(module) is pruned by usage, but other packages can use it through the product \
    \(products.joined(separator: ", ")). List the folders of all their targets that use it, and then \
    the product: \(pruning). Or remove it from the product, or set "pruning": "all".
    """
  }
}
