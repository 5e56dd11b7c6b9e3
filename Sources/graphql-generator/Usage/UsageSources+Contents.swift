extension UsageSources {
  /// Visits the contents of each source, in the order of the paths.
  func forEach<Failure: Error>(
    _ visit: (_ path: String, _ contents: [UInt8]) throws(Failure) -> Void
  ) throws {
    for path in Set(paths).sorted() { try visit(path, try files.read(path)) }
  }
}
