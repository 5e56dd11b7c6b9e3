import GraphQLCodeGen

/// The figures of a schema, for people and for programs.
struct StatsReport {
  let schema: SchemaFigures
  /// All code for the configuration, before pruning.
  let whole: CodeFigures
  /// nil unless the configuration prunes.
  let pruned: Pruned?

  /// The remaining code if only used members are generated.
  struct Pruned {
    let keptTypes: Int
    let droppedTypes: Int
    let keptFields: Int
    let droppedFields: Int
    let code: CodeFigures

    /// nil if the output is not pruned.
    init?(_ output: GeneratorPipeline.Output) {
      guard let pruning = output.pruning else { return nil }
      keptTypes = pruning.keptTypes.count
      droppedTypes = pruning.droppedTypes.count
      keptFields = pruning.keptFields.count
      droppedFields = pruning.droppedFields.count
      code = CodeFigures(output.files)
    }
  }

  var text: String {
    var lines = ["Schema: \(schema.types) types"]
    lines += [
      row("objects", schema.objects), row("interfaces", schema.interfaces),
      row("unions", schema.unions), row("enums", schema.enums),
      row("input objects", schema.inputObjects), row("scalars", schema.scalars),
      row("directives", schema.directives), row("fields", schema.fields),
      row("arguments", schema.arguments), row("input fields", schema.inputFields),
      row("enum values", schema.enumValues),
    ]
    lines.append("Generated code:")
    lines += rows(whole)
    if let pruned {
      lines.append(
        "With pruning: \(pruned.keptFields) of \(pruned.keptFields + pruned.droppedFields) fields "
          + "and \(pruned.keptTypes) of \(pruned.keptTypes + pruned.droppedTypes) types are kept")
      lines += rows(pruned.code)
    }
    return lines.joined(separator: "\n")
  }

  private func rows(_ code: CodeFigures) -> [String] {
    [
      row("files", code.files), row("lines", code.lines), row("bytes", code.bytes),
      row("functions", code.functions),
      "  compiling them takes about \(Self.shown(code.debugSeconds)) s of CPU for debug, "
        + "\(Self.shown(code.releaseSeconds)) s for release",
    ]
  }

  private func row(_ name: String, _ count: SchemaFigures.Count) -> String {
    row(name, count.all) + (count.deprecated > 0 ? ", \(count.deprecated) deprecated" : "")
  }

  private func row(_ name: String, _ number: Int) -> String {
    let digits = String(number)
    let space = String(repeating: " ", count: max(1, 24 - name.count - digits.count))
    return "  \(name)\(space)\(digits)"
  }

  private static func shown(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(seconds.rounded()))"
  }
}
