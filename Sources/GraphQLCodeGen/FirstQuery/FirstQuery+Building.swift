extension FirstQuery {
  /// The statement that builds the query, a line per field, so that the user can add others.
  ///
  /// - Parameter name: the constant.
  package func building(_ name: String) -> String {
    var writer = SourceWriter()
    writer.block("let \(name) = \(namespace).buildQuery") { writer in
      select(fields[...], &writer)
    }
    return String(decoding: writer.finish().dropLast(), as: UTF8.self)
  }

  private func select(_ path: ArraySlice<FieldPlan>, _ writer: inout SourceWriter) {
    guard let field = path.first else { return writer.line(names: "$0.\(Self.typename)()") }
    let size = field.pageSize.map { "(\($0.label): \(Self.listedCount))" }
    guard field.subfields != nil else { return writer.line(names: "$0.\(field.method)()") }
    writer.block("$0.\(field.method)\(size ?? "")") { writer in
      select(path.dropFirst(), &writer)
    }
  }

  /// The number of objects of a list to request or to print.
  static let listedCount = 3
}
