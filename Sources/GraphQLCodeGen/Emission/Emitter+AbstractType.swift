extension Emitter {
  /// The protocol of an interface or union.
  func abstractType(_ type: CompositePlan, _ writer: inout SourceWriter) {
    let inherited = type.protocols.isEmpty ? [RuntimeSymbols.abstractResponse] : type.protocols
    writer.blank()
    comment(type.documentation, &writer)
    writer.line(
      "\(access)protocol \(type.responseType): \(inherited.joined(separator: ", ")) {}")
  }

  /// The accessors of an interface, in an extension: requirements would have to match the types of
  /// the fields exactly, but implementing types may narrow them.
  func abstractAccessors(_ type: CompositePlan, _ writer: inout SourceWriter) {
    guard !type.fields.isEmpty else { return }
    writer.blank()
    writer.block("\(nonisolated)extension \(prefix)\(type.responseType)") { writer in
      accessors(type, access: access, prefix: prefix, &writer)
    }
  }
}
